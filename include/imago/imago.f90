! imago's interface for Fortran 2018: transforms of arrays in host memory by one device. It is source:
! compile it with your compiler, use the module `imago`, and link libimago.
!
! Dimensions are in Fortran's order: the first one is contiguous. A real transform halves the first
! dimension: real (n1, n2) and complex (n1/2+1, n2), as in FFTW. Nothing is scaled unless you pass
! `norm`: as in FFTW, forward and inverse together multiply by the number of points.
!
!     use imago
!     type(imago_plan) :: plan
!     call plan%create([nx, ny], kind=imago_real, precision=imago_f64)
!     call plan%forward(image, spectrum)
!     call plan%inverse(spectrum, image)
!
! Procedures have an optional `status`, 0 or one of the values below. Without it, an error ends the
! program with its message. imago_message() returns the message.
module imago
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: error_unit
  implicit none
  private

  ! The numbers of imago.h.
  integer(c_int), parameter, public :: imago_success = 0, imago_invalid_argument = 1, &
    imago_unsupported = 2, imago_device_error = 3, imago_profile_error = 4, imago_stopped = 5, &
    imago_error = 6, imago_out_of_memory = 7, imago_internal_error = 8
  integer(c_int), parameter, public :: imago_complex = 0, imago_real = 1, imago_dct1 = 2, &
    imago_dct2 = 3, imago_dct3 = 4, imago_dct4 = 5, imago_dst1 = 6, imago_dst2 = 7, &
    imago_dst3 = 8, imago_dst4 = 9, imago_identity = 10
  integer(c_int), parameter, public :: imago_f32 = 0, imago_f64 = 1, imago_f16 = 2
  integer(c_int), parameter, public :: imago_backward = 0, imago_ortho = 1, imago_forward = 2, &
    imago_none = 3
  integer(c_int), parameter, public :: imago_radians = 0, imago_fractions_i32 = 3, &
    imago_fractions_i64 = 4
  integer(c_int), parameter, public :: imago_types_1_and_2 = 0, imago_type_1 = 1, &
    imago_type_2 = 2, imago_type_3 = 3

  ! The structs of imago.h, for calls of its functions. imago_transform_init() and its neighbours fill
  ! them in.
  type, bind(c), public :: imago_layout
    type(c_ptr) :: strides = c_null_ptr
    integer(c_size_t) :: distance = 0, offset = 0
  end type

  type, bind(c), public :: imago_transform
    integer(c_size_t) :: size = 0, dimensions = 0
    type(c_ptr) :: lengths = c_null_ptr, axes = c_null_ptr
    integer(c_int) :: kind = 0, precision = 0
    integer(c_size_t) :: batch = 0
    integer(c_int) :: placement = 0, directions = 0, norm = 0
    real(c_double) :: forward_scale = 0, inverse_scale = 0
    type(imago_layout) :: signal, spectrum
    integer(c_int) :: signal_storage = 0, spectrum_storage = 0, ends = 0
    type(c_ptr) :: forward_load = c_null_ptr, forward_store = c_null_ptr, &
      inverse_load = c_null_ptr, inverse_store = c_null_ptr
  end type

  type, bind(c), public :: imago_options
    integer(c_size_t) :: size = 0
    type(c_ptr) :: device = c_null_ptr
    integer(c_size_t) :: memory_limit = 0
    integer(c_int) :: deterministic = 0, f64 = 0, reproducible = 0
  end type

  type, bind(c), public :: imago_nufft_transform
    integer(c_size_t) :: size = 0, axes = 0
    type(c_ptr) :: modes = c_null_ptr
    real(c_double) :: tolerance = 0
    integer(c_int) :: precision = 0
    integer(c_size_t) :: batch = 0
    integer(c_int) :: sign = 0, coordinates = 0, order = 0, types = 0
    integer(c_size_t) :: points = 0
    integer(c_int) :: real = 0, promise = 0, points_per_member = 0
  end type

  type, bind(c), public :: imago_nufft_points
    integer(c_size_t) :: count = 0
    type(c_ptr) :: coordinates(3) = c_null_ptr
    type(c_ptr) :: counts = c_null_ptr
  end type

  interface
    subroutine imago_transform_init(transform, size, dimensions, lengths) bind(c)
      import :: imago_transform, c_size_t
      type(imago_transform), intent(out) :: transform
      integer(c_size_t), value :: size, dimensions
      integer(c_size_t), intent(in), target :: lengths(*)
    end subroutine
    subroutine imago_options_init(options, size) bind(c)
      import :: imago_options, c_size_t
      type(imago_options), intent(out) :: options
      integer(c_size_t), value :: size
    end subroutine
    integer(c_int) function imago_plan_create(transform, options, plan) bind(c)
      import :: imago_transform, c_int, c_ptr
      type(imago_transform), intent(in) :: transform
      type(c_ptr), value :: options
      type(c_ptr), intent(out) :: plan
    end function
    subroutine imago_plan_destroy(plan) bind(c)
      import :: c_ptr
      type(c_ptr), value :: plan
    end subroutine
    integer(c_int) function imago_execute_forward(plan, signal, spectrum) bind(c)
      import :: c_int, c_ptr
      type(c_ptr), value :: plan
      type(*), intent(in) :: signal(*)
      type(*) :: spectrum(*)
    end function
    integer(c_int) function imago_execute_inverse(plan, spectrum, signal) bind(c)
      import :: c_int, c_ptr
      type(c_ptr), value :: plan
      type(*), intent(in) :: spectrum(*)
      type(*) :: signal(*)
    end function
    integer(c_size_t) function imago_signal_bytes(plan) bind(c)
      import :: c_size_t, c_ptr
      type(c_ptr), value :: plan
    end function
    integer(c_size_t) function imago_spectrum_bytes(plan) bind(c)
      import :: c_size_t, c_ptr
      type(c_ptr), value :: plan
    end function
    integer(c_size_t) function imago_plan_describe(plan, text, size) bind(c)
      import :: c_size_t, c_ptr, c_char
      type(c_ptr), value :: plan
      character(kind=c_char) :: text(*)
      integer(c_size_t), value :: size
    end function
    type(c_ptr) function imago_last_error() bind(c)
      import :: c_ptr
    end function
    type(c_ptr) function imago_version() bind(c)
      import :: c_ptr
    end function
    subroutine imago_nufft_transform_init(transform, size, axes, modes) bind(c)
      import :: imago_nufft_transform, c_size_t
      type(imago_nufft_transform), intent(out) :: transform
      integer(c_size_t), value :: size, axes
      integer(c_size_t), intent(in), target :: modes(*)
    end subroutine
    integer(c_int) function imago_nufft_create(transform, options, plan) bind(c)
      import :: imago_nufft_transform, c_int, c_ptr
      type(imago_nufft_transform), intent(in) :: transform
      type(c_ptr), value :: options
      type(c_ptr), intent(out) :: plan
    end function
    subroutine imago_nufft_destroy(plan) bind(c)
      import :: c_ptr
      type(c_ptr), value :: plan
    end subroutine
    integer(c_int) function imago_nufft_set_points(plan, points, frequencies) bind(c)
      import :: c_int, c_ptr
      type(c_ptr), value :: plan, points, frequencies
    end function
    integer(c_int) function imago_nufft_type1(plan, strengths, modes) bind(c)
      import :: c_int, c_ptr
      type(c_ptr), value :: plan
      type(*), intent(in) :: strengths(*)
      type(*) :: modes(*)
    end function
    integer(c_int) function imago_nufft_type2(plan, modes, values) bind(c)
      import :: c_int, c_ptr
      type(c_ptr), value :: plan
      type(*), intent(in) :: modes(*)
      type(*) :: values(*)
    end function
    integer(c_int) function imago_nufft_type3(plan, strengths, values) bind(c)
      import :: c_int, c_ptr
      type(c_ptr), value :: plan
      type(*), intent(in) :: strengths(*)
      type(*) :: values(*)
    end function
    integer(c_size_t) function c_strlen(text) bind(c, name="strlen")
      import :: c_size_t, c_ptr
      type(c_ptr), value :: text
    end function
  end interface
  public :: imago_transform_init, imago_options_init, imago_plan_create, imago_plan_destroy, &
    imago_execute_forward, imago_execute_inverse, imago_signal_bytes, imago_spectrum_bytes, &
    imago_plan_describe, imago_last_error, imago_version, imago_nufft_transform_init, &
    imago_nufft_create, imago_nufft_destroy, imago_nufft_set_points, imago_nufft_type1, &
    imago_nufft_type2, imago_nufft_type3

  !> A transform that is ready to run. It is destroyed at the end of its scope; do not copy it.
  type, public :: imago_plan
    type(c_ptr) :: handle = c_null_ptr
  contains
    procedure :: create => plan_create
    procedure :: forward => plan_forward
    procedure :: inverse => plan_inverse
    procedure :: signal_bytes => plan_signal_bytes
    procedure :: spectrum_bytes => plan_spectrum_bytes
    procedure :: describe => plan_describe
    procedure :: destroy => plan_destroy
    final :: plan_end
  end type
  public :: imago_message

  ! The message of this thread's last call, if the module and not the library refused it.
  character(128), save :: refusal = ""
  !$omp threadprivate(refusal)

contains

  !> Makes a plan of transforms with these lengths.
  !!
  !! - kind: for each dimension the same; imago_real halves the first one. Default: imago_complex;
  !! - kinds: instead, the kind of each dimension;
  !! - precision: imago_f32 or imago_f64 of the arrays. Default: imago_f64;
  !! - batch: number of transforms in one call;
  !! - in_place: .true.: pass one array twice;
  !! - norm: imago_none (default), imago_backward, imago_ortho or imago_forward;
  !! - signal_strides, spectrum_strides: in elements, one for each dimension. Default: packed;
  !! - signal_distance, spectrum_distance: elements between transforms of the batch.
  subroutine plan_create(self, lengths, kind, kinds, precision, batch, in_place, norm, &
      signal_strides, signal_distance, spectrum_strides, spectrum_distance, status)
    class(imago_plan), intent(inout) :: self
    integer, intent(in) :: lengths(:)
    integer(c_int), intent(in), optional :: kind, kinds(:), precision, norm
    integer, intent(in), optional :: batch, signal_strides(:), signal_distance, &
      spectrum_strides(:), spectrum_distance
    logical, intent(in), optional :: in_place
    integer(c_int), intent(out), optional :: status
    type(imago_transform) :: transform
    integer(c_size_t), target :: n(size(lengths)), from(size(lengths)), to(size(lengths))
    integer(c_int), target :: axes(size(lengths))
    integer(c_int) :: found

    call self%destroy()
    if (any_below(1, "lengths", lengths, status)) return
    if (present(batch)) then
      if (any_below(1, "batch", [batch], status)) return
    end if
    if (present(signal_strides)) then
      if (any_below(0, "signal_strides", signal_strides, status)) return
    end if
    if (present(spectrum_strides)) then
      if (any_below(0, "spectrum_strides", spectrum_strides, status)) return
    end if
    if (present(signal_distance)) then
      if (any_below(0, "signal_distance", [signal_distance], status)) return
    end if
    if (present(spectrum_distance)) then
      if (any_below(0, "spectrum_distance", [spectrum_distance], status)) return
    end if
    n = lengths(size(lengths):1:-1)
    call imago_transform_init(transform, c_sizeof(transform), size(n, kind=c_size_t), n)
    transform%norm = imago_none
    transform%precision = imago_f64
    if (present(kind)) transform%kind = kind
    if (present(kinds)) then
      if (size(kinds) /= size(lengths)) then
        call refuse("kinds: give one for each dimension", status)
        return
      end if
      axes = kinds(size(kinds):1:-1)
      transform%axes = c_loc(axes)
    end if
    if (present(precision)) transform%precision = precision
    if (present(batch)) transform%batch = batch
    if (present(norm)) transform%norm = norm
    if (present(in_place)) transform%placement = merge(1, 0, in_place)
    if (present(signal_strides)) then
      if (size(signal_strides) /= size(lengths)) then
        call refuse("signal_strides: give one for each dimension", status)
        return
      end if
      from = signal_strides(size(lengths):1:-1)
      transform%signal%strides = c_loc(from)
    end if
    if (present(spectrum_strides)) then
      if (size(spectrum_strides) /= size(lengths)) then
        call refuse("spectrum_strides: give one for each dimension", status)
        return
      end if
      to = spectrum_strides(size(lengths):1:-1)
      transform%spectrum%strides = c_loc(to)
    end if
    if (present(signal_distance)) transform%signal%distance = signal_distance
    if (present(spectrum_distance)) transform%spectrum%distance = spectrum_distance
    found = imago_plan_create(transform, c_null_ptr, self%handle)
    call finish(found, status)
  end subroutine

  !> Computes the spectrum of a signal. The arrays are contiguous, and of the plan's type and size.
  subroutine plan_forward(self, signal, spectrum, status)
    class(imago_plan), intent(in) :: self
    type(*), intent(in) :: signal(*)
    type(*) :: spectrum(*)
    integer(c_int), intent(out), optional :: status
    integer(c_int) :: found
    found = imago_execute_forward(self%handle, signal, spectrum)
    call finish(found, status)
  end subroutine

  !> Computes the signal from its spectrum.
  subroutine plan_inverse(self, spectrum, signal, status)
    class(imago_plan), intent(in) :: self
    type(*), intent(in) :: spectrum(*)
    type(*) :: signal(*)
    integer(c_int), intent(out), optional :: status
    integer(c_int) :: found
    found = imago_execute_inverse(self%handle, spectrum, signal)
    call finish(found, status)
  end subroutine

  !> Returns the bytes of the smallest array for the signals.
  integer(c_size_t) function plan_signal_bytes(self)
    class(imago_plan), intent(in) :: self
    plan_signal_bytes = imago_signal_bytes(self%handle)
  end function

  !> Returns the bytes of the smallest array for the spectra.
  integer(c_size_t) function plan_spectrum_bytes(self)
    class(imago_plan), intent(in) :: self
    plan_spectrum_bytes = imago_spectrum_bytes(self%handle)
  end function

  !> Returns a description of the computation.
  function plan_describe(self) result(text)
    class(imago_plan), intent(in) :: self
    character(:), allocatable :: text
    character(kind=c_char), allocatable :: copy(:)
    integer(c_size_t) :: length
    integer :: i
    allocate(copy(1))
    length = imago_plan_describe(self%handle, copy, 1_c_size_t)
    deallocate(copy)
    allocate(copy(length + 1))
    length = imago_plan_describe(self%handle, copy, length + 1)
    allocate(character(length) :: text)
    do i = 1, int(length)
      text(i:i) = copy(i)
    end do
  end function

  !> Frees the plan; it may be created again.
  subroutine plan_destroy(self)
    class(imago_plan), intent(inout) :: self
    call imago_plan_destroy(self%handle)
    self%handle = c_null_ptr
  end subroutine

  subroutine plan_end(self)
    type(imago_plan), intent(inout) :: self
    call self%destroy()
  end subroutine

  !> Returns the message of the last call that failed.
  function imago_message() result(text)
    character(:), allocatable :: text
    character(kind=c_char), pointer :: characters(:)
    type(c_ptr) :: address
    integer :: i
    if (refusal /= "") then
      text = trim(refusal)
      return
    end if
    address = imago_last_error()
    call c_f_pointer(address, characters, [c_strlen(address)])
    allocate(character(size(characters)) :: text)
    do i = 1, size(characters)
      text(i:i) = characters(i)
    end do
  end function

  !> Returns true, and ends the call, if a number is below `least`. C's sizes have no sign, so the
  !! library would see a huge number.
  logical function any_below(least, name, numbers, status)
    integer, intent(in) :: least, numbers(:)
    character(*), intent(in) :: name
    integer(c_int), intent(out), optional :: status
    character(12) :: number, least_text
    any_below = any(numbers < least)
    if (.not. any_below) return
    write (number, "(i0)") minval(numbers)
    write (least_text, "(i0)") least
    call refuse(name // " is " // trim(number) // "; it must be at least " // trim(least_text), &
      status)
  end function

  !> Fails with a message of the module.
  subroutine refuse(message, status)
    character(*), intent(in) :: message
    integer(c_int), intent(out), optional :: status
    refusal = message
    call end_call(imago_invalid_argument, status)
  end subroutine

  !> Returns the status of the library, or ends the program if the caller does not take it.
  subroutine finish(found, status)
    integer(c_int), intent(in) :: found
    integer(c_int), intent(out), optional :: status
    refusal = ""
    call end_call(found, status)
  end subroutine

  subroutine end_call(found, status)
    integer(c_int), intent(in) :: found
    integer(c_int), intent(out), optional :: status
    if (present(status)) then
      status = found
    else if (found /= imago_success) then
      write (error_unit, "(a)") "imago: " // imago_message()
      error stop 1
    end if
  end subroutine
end module imago
