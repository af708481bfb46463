! Numbers that C's sizes cannot hold are refused by their name and value, and the next call's own
! error is reported.
program refused
  use imago
  use, intrinsic :: iso_c_binding, only: c_int
  implicit none
  type(imago_plan) :: plan
  integer(c_int) :: status

  call plan%create([16], batch=-1, status=status)
  call expect("batch is -1; it must be at least 1")
  call plan%create([8, -4], status=status)
  call expect("lengths is -4; it must be at least 1")
  call plan%create([8, 4], signal_strides=[1, -8], status=status)
  call expect("signal_strides is -8; it must be at least 0")
  call plan%create([8], spectrum_distance=-8, batch=2, status=status)
  call expect("spectrum_distance is -8; it must be at least 0")
  call plan%create([8, 4], kinds=[imago_dct2], status=status)
  call expect("kinds: give one for each dimension")
  call plan%create([8], kind=99_c_int, status=status)
  call expect("kind is 99")
  call plan%create([8], status=status)
  if (status /= imago_success) error stop "a good plan is refused"

contains

  subroutine expect(text)
    character(*), intent(in) :: text
    if (status == imago_success) error stop "no error: " // text
    if (index(imago_message(), text) /= 1) error stop "another message: " // imago_message()
  end subroutine
end program refused
