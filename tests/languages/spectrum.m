% Compares imago_spectrum (imago_spectrum.c) with Octave's fft.
x = single(rand(100, 3));
right = fft(double(x))(1:51, :);
worst = max(abs(double(imago_spectrum(x)) - right)(:));
printf("off by %.0e at most\n", worst);
assert(worst < 1e-4);
try
  imago_spectrum(1:3);
  error("a matrix of doubles was accepted");
catch failure
  assert(strcmp(failure.identifier, "imago:argument"));
end
