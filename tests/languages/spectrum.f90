! A user's program in Fortran: it uses the module of imago.f90 and checks its results.
! Shown in docs/languages.md:
program spectra
  use imago
  use, intrinsic :: iso_fortran_env, only: dp => real64
  implicit none
  integer, parameter :: nx = 64, ny = 48
  real(dp) :: image(nx, ny), back(nx, ny)
  complex(dp) :: spectrum(nx / 2 + 1, ny)
  type(imago_plan) :: plan

  call random_number(image)
  call plan%create([nx, ny], kind=imago_real, norm=imago_backward)
  call plan%forward(image, spectrum)
  call plan%inverse(spectrum, back)
  print "(a, es8.1)", "largest error", maxval(abs(back - image))
  ! Until here.
  if (maxval(abs(back - image)) > 1e-14_dp) error stop "inverse(forward(x)) is not x"
  if (abs(spectrum(1, 1) - sum(image)) > 1e-10_dp) error stop "wrong mean"
  call one_dimension()
  call lines_of_an_array()
  call cosines_in_single_precision()
  call points_anywhere()
  call messages()
  print "(a)", "all right"

contains

  !> Returns the sum that defines element k of the spectrum.
  complex(dp) function element(x, k)
    complex(dp), intent(in) :: x(:)
    integer, intent(in) :: k
    integer :: j
    element = sum([(x(j) * exp(cmplx(0, -2 * acos(-1.0_dp) * (j - 1) * (k - 1) / size(x), dp)), &
      j = 1, size(x))])
  end function

  subroutine one_dimension()
    complex(dp) :: x(30), y(30)
    real(dp) :: parts(2, 30)
    integer :: k
    call random_number(parts)
    x = cmplx(parts(1, :), parts(2, :), dp)
    call plan%create([30])
    call plan%forward(x, y)
    if (any([(abs(y(k) - element(x, k)) > 1e-12_dp, k = 1, 30)])) error stop "wrong spectrum"
    if (plan%signal_bytes() /= 480) error stop "wrong size"
    if (len_trim(plan%describe()) < 10) error stop "no description"
    call plan%create([30], in_place=.true.)
    call plan%forward(x, x)
    if (any(abs(x - y) > 1e-12_dp)) error stop "wrong spectrum in place"
    call plan%inverse(x, x)
    if (abs(x(1) / 30 - cmplx(parts(1, 1), parts(2, 1), dp)) > 1e-12_dp) error stop "a scale"
  end subroutine

  !> As fftw_plan_many_dft: transforms along the second dimension, one for each row.
  subroutine lines_of_an_array()
    complex(dp) :: a(7, 16), b(16, 7)
    real(dp) :: parts(7, 16)
    integer :: k
    call random_number(parts)
    a = parts
    call plan%create([16], batch=7, signal_strides=[7], signal_distance=1)
    call plan%forward(a, b)
    if (any([(abs(b(k, 3) - element(a(3, :), k)) > 1e-12_dp, k = 1, 16)])) error stop "wrong rows"
  end subroutine

  subroutine cosines_in_single_precision()
    real :: x(6, 5), y(6, 5), expected
    integer :: i, j
    call random_number(x)
    call plan%create([6, 5], kinds=[imago_dct2, imago_identity], precision=imago_f32)
    call plan%forward(x, y)
    do j = 1, 5
      expected = 2 * sum([(x(i, j) * cos(acos(-1.0) * (i - 0.5) * 2 / 6), i = 1, 6)])
      if (abs(y(3, j) - expected) > 1e-5) error stop "wrong cosine transform"
    end do
  end subroutine

  !> A nonuniform transform, with the functions of C.
  subroutine points_anywhere()
    use, intrinsic :: iso_c_binding
    real(dp), target :: x(100)
    complex(dp) :: strengths(100), modes(8), exact
    type(imago_nufft_transform) :: transform
    type(imago_nufft_points), target :: points
    type(c_ptr) :: nufft
    integer(c_size_t), target :: counts(1)
    integer :: k
    call random_number(x)
    counts = 8
    strengths = x
    call imago_nufft_transform_init(transform, c_sizeof(transform), 1_c_size_t, counts)
    transform%precision = imago_f64
    transform%tolerance = 1e-9_dp
    if (imago_nufft_create(transform, c_null_ptr, nufft) /= 0) error stop "no plan"
    points%count = 100
    points%coordinates(1) = c_loc(x)
    if (imago_nufft_set_points(nufft, c_loc(points), c_null_ptr) /= 0) error stop "no points"
    if (imago_nufft_type1(nufft, strengths, modes) /= 0) error stop "no modes"
    do k = 1, 8
      exact = sum(strengths * exp(cmplx(0, (k - 5) * x, dp)))
      if (abs(modes(k) - exact) > 1e-7_dp) error stop "wrong modes"
    end do
    call imago_nufft_destroy(nufft)
  end subroutine

  subroutine messages()
    use, intrinsic :: iso_c_binding
    integer(c_int) :: status
    call plan%create([0], status=status)
    if (status /= imago_invalid_argument) error stop "length 0 is allowed"
    if (index(imago_message(), "lengths") == 0) error stop "wrong message"
    call plan%create([8, 8], kinds=[imago_dct2], status=status)
    if (status /= imago_invalid_argument) error stop "kinds are missing"
  end subroutine
! Shown in docs/languages.md:
end program spectra
! Until here.
