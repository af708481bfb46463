#!/usr/bin/env bash
# check_rules.sh <compiler> <include paths> <source folder>
#
# Compiles one include of every module from every other, with the include paths of the includer.
# Includes that docs/architecture.md allows must compile; all others must fail, and for the right
# reason. Each line of <include paths> is a module's name and its -I options.
set -euo pipefail
compiler=$1 paths=$2 source=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# The host interpreter is not in src/<module>.
declare -A folders=([interpreter]=tests/host_interpreter)
# The modules that each module may include, in addition to itself.
declare -A allowed=(
  [base]=""
  [user_code]="base"
  [problem]="user_code base"
  [signal]="problem user_code base"
  [device]="base"
  [kernels]="base"
  [profile]="problem user_code device base"
  [ir]="kernels base"
  [interpreter]="ir kernels base"
  [kernel]="base"
  [lines]="kernel problem user_code device base"
  [plan]="lines kernel problem user_code device base"
  [generic]="lines kernel problem user_code device base"
  [sparse]="kernels device base"
  [nufft]="lines kernels kernel problem user_code device base"
  [blocks]="kernel ir kernels user_code base"
  [standalone]="blocks problem device kernel ir kernels user_code base"
  [passes]="blocks kernel ir kernels user_code base"
  [small]="base"
  [model]="kernel ir kernels device base"
  [runtime]="kernels kernel device base"
  [engine]="runtime kernels model blocks profile plan generic lines kernel ir problem user_code device base"
  [nufft_device]="engine nufft runtime kernels model blocks profile plan generic lines kernel ir problem user_code device base"
  [sparse_device]="engine sparse runtime kernels model blocks profile plan generic lines kernel ir problem user_code device base"
  [cuda]="base"
  [api]="cuda nufft_device sparse_device engine nufft sparse runtime kernels model blocks profile plan generic lines kernel ir signal problem user_code device base"
  [host]="api small cuda nufft_device sparse_device engine nufft sparse runtime kernels model blocks profile plan generic lines kernel ir signal problem user_code device base"
  [capi]="host api small cuda nufft_device sparse_device engine nufft sparse runtime kernels model blocks profile plan generic lines kernel ir signal problem user_code device base"
  [tuner]="capi host api small cuda nufft_device sparse_device engine nufft sparse runtime kernels model blocks profile plan generic lines kernel ir signal problem user_code device base"
)
may_see_opencl=" runtime engine nufft_device sparse_device cuda api host capi tuner "
failures=0 checks=0

fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

# expect <module> <header> <yes | text of the compiler's error>
expect() {
  local module=$1 header=$2 expected=$3 flags error=""
  read -ra flags <<<"$(sed -n "s/^$module //p" "$paths")"
  [ ${#flags[@]} -gt 0 ] || { fail "no include paths of module $module"; return 0; }
  echo "#include \"$header\"" >"$scratch/probe.cpp"
  error=$("$compiler" -std=c++20 -E -o "$scratch/probe.i" "${flags[@]}" "$scratch/probe.cpp" 2>&1) &&
    error=yes
  checks=$((checks + 1))
  case $error in
    *"$expected"*) ;;
    *) fail "$module includes $header: expected '$expected', got '${error:0:300}'" ;;
  esac
}

for module in "${!allowed[@]}"; do
  for other in "${!allowed[@]}"; do
    header=$(cd "$source/${folders[$other]:-src/$other}" && find . -name '*.hpp' | sort | head -n 1)
    [ -n "$header" ] || continue
    header=$other/${header#./}
    if [[ " $module ${allowed[$module]} " == *" $other "* ]]; then
      expect "$module" "$header" yes
    else
      expect "$module" "$header" "No such file or directory"
      expect "$module" "../$header" "No such file or directory"
    fi
  done
  for header in CL/cl.h CL/opencl.hpp imago/plan.hpp; do
    if [[ $may_see_opencl == *" $module "* ]]; then
      expect "$module" "$header" yes
    else
      expect "$module" "$header" "runtime, engine, sparse_device, nufft_device, cuda, api, host, capi and tuner"
    fi
  done
done

while read -r module _; do
  [ -n "${allowed[$module]+known}" ] || fail "module $module has no rule in this script"
done <"$paths"

echo "$checks includes tried, $failures broke the rules"
[ "$failures" -eq 0 ]
