# Compares imago_spectrum (imago_r.c) with R's fft.
dyn.load(commandArgs(trailingOnly = TRUE)[1])
x <- complex(real = sin(1:360), imaginary = cos((1:360)^2))
worst <- max(Mod(.Call("imago_spectrum", x) - fft(x)))
cat(sprintf("off by %.0e at most\n", worst))
stopifnot(worst < 1e-11)
stopifnot(inherits(try(.Call("imago_spectrum", 1:3), silent = TRUE), "try-error"))
