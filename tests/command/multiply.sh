#!/bin/sh
# Checks `imago multiply`: products beside Python's decimal integers, files and pipes, bad input.
# Usage: multiply.sh <imago>
set -u
imago=$1
. "$(dirname "$0")/expect.sh"

# product <first> <second> <expected>
product() {
  printf '%s\n' "$1" >first
  printf '%s\n' "$2" >second
  expect 0 "" multiply first second
  grep -qxF "product    $3" out || fail "$1 times $2 is $(head -n 1 out), not $3"
}
product 12 34 408
product -12 +0034 -408
product -12 -34 408
product -12 0 0
product 999999999 999999999 999999998000000001
product '12\
34' '1 000' 1234000

# Long integers: carries through all digits, and random digits. The report has only the ends.
python3 - <<'END'
import decimal, random
decimal.setcontext(decimal.Context(prec=decimal.MAX_PREC, Emax=decimal.MAX_EMAX))
random.seed(1)
digits = lambda n: str(random.randrange(1, 10)) + "".join(random.choices("0123456789", k=n - 1))
for name, a, b in (("nines", "9" * 1000, "9" * 900), ("random", digits(1001), "-" + digits(880))):
    for part, number in (("a", a), ("b", b), ("right", str(decimal.Decimal(a) * decimal.Decimal(b)))):
        open(f"{name}.{part}", "w").write(number + "\n")
END
for name in nines random; do
  expect 0 "checked    modulo" multiply $name.a $name.b --output $name.c
  cmp -s $name.c $name.right || fail "the product of $name"
done
expect 0 "product    99999999999999999999...00000000000000000001" multiply nines.a nines.b
expect 0 '"digits"' multiply nines.a nines.b --json

# Pipes: the product goes to standard output, and the report to standard error.
"$imago" multiply - random.b --output - <random.a >piped 2>report || fail "a pipe: $(cat report)"
cmp -s piped random.right || fail "the product of a pipe"
grep -q "^written    standard output" report || fail "no report on standard error"
expect 2 "standard input can be read only once" multiply - -

# Bad input: nothing is written.
printf '12a4\n' >letter
: >empty
expect 1 "letter has 'a' at byte 2; it must be an integer of decimal digits" multiply letter first -o none
expect 1 "empty has no digits" multiply first empty -o none
expect 1 "missing" multiply first missing -o none
[ -e none ] && fail "a product of bad input is written"
expect 2 "" multiply first
expect 2 "first" multiply first second -o first
expect 1 "cannot be written" multiply first second -o none/none
[ "$failures" = 0 ] && echo "products are right"
exit "$failures"
