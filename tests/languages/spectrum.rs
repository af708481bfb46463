// This program computes a spectrum in device memory by imago_cl.h, without crates: it declares the
// functions and structs that it uses. It prints the index of the largest coefficient.
// Shown in docs/languages.md:
use std::ffi::CStr;
use std::mem::{size_of, zeroed};
use std::os::raw::{c_char, c_int, c_void};
use std::ptr::{null, null_mut};

type Handle = *mut c_void; // of OpenCL and of imago

#[repr(C)]
struct Layout {
    strides: *const usize,
    distance: usize,
    offset: usize,
}

#[repr(C)]
struct Transform {
    size: usize,
    dimensions: usize,
    lengths: *const usize,
    axes: *const c_int,
    kind: c_int,
    precision: c_int,
    batch: usize,
    placement: c_int,
    directions: c_int,
    norm: c_int,
    scales: [f64; 2],
    layouts: [Layout; 2],
    storages: [c_int; 2],
    ends: c_int,
    hooks: [Handle; 4],
}

#[repr(C)]
#[derive(Clone, Copy)]
struct Array {
    re: Handle,
    im: Handle,
    offset: usize,
}

#[link(name = "imago")]
extern "C" {
    fn imago_last_error() -> *const c_char;
    fn imago_cl_plan_create(
        context: Handle,
        device: Handle,
        transform: *const Transform,
        options: *const c_void,
        plan: *mut Handle,
    ) -> c_int;
    fn imago_cl_forward(
        plan: Handle,
        queue: Handle,
        signal: Array,
        spectrum: Array,
        call: *const c_void,
    ) -> c_int;
    fn imago_cl_plan_destroy(plan: Handle);
}

fn done(status: c_int) {
    let message = unsafe { CStr::from_ptr(imago_last_error()) };
    assert!(status == 0, "{}", message.to_string_lossy());
}

/// Computes the spectrum of complex numbers in a buffer, in place.
unsafe fn spectrum(
    context: Handle,
    device: Handle,
    queue: Handle,
    data: Handle,
    points: usize,
) {
    let mut transform: Transform = zeroed();
    transform.size = size_of::<Transform>();
    transform.dimensions = 1;
    transform.lengths = &points;
    transform.placement = 1; // IMAGO_IN_PLACE
    let mut plan = null_mut();
    let status =
        imago_cl_plan_create(context, device, &transform, null(), &mut plan);
    done(status);
    let array = Array { re: data, im: null_mut(), offset: 0 };
    done(imago_cl_forward(plan, queue, array, array, null()));
    imago_cl_plan_destroy(plan);
}
// Until here.

#[link(name = "OpenCL")]
extern "C" {
    fn clGetPlatformIDs(most: u32, platforms: *mut Handle, count: *mut u32) -> c_int;
    fn clGetDeviceIDs(
        platform: Handle,
        kind: u64,
        most: u32,
        devices: *mut Handle,
        count: *mut u32,
    ) -> c_int;
    fn clCreateContext(
        properties: *const isize,
        count: u32,
        devices: *const Handle,
        notify: *const c_void,
        user: *mut c_void,
        code: *mut c_int,
    ) -> Handle;
    fn clCreateCommandQueue(
        context: Handle,
        device: Handle,
        properties: u64,
        code: *mut c_int,
    ) -> Handle;
    fn clCreateBuffer(
        context: Handle,
        flags: u64,
        bytes: usize,
        host: *mut c_void,
        code: *mut c_int,
    ) -> Handle;
    fn clEnqueueReadBuffer(
        queue: Handle,
        buffer: Handle,
        blocking: u32,
        offset: usize,
        bytes: usize,
        host: *mut c_void,
        waits_count: u32,
        waits: *const Handle,
        event: *mut Handle,
    ) -> c_int;
}

const ALL_DEVICES: u64 = 0xFFFF_FFFF;
const COPY_HOST: u64 = 1 << 5;

fn main() {
    const POINTS: usize = 1000;
    let mut data = vec![[0f32; 2]; POINTS];
    for (j, x) in data.iter_mut().enumerate() {
        let angle = std::f64::consts::TAU * 7.0 * j as f64 / POINTS as f64;
        *x = [angle.cos() as f32, angle.sin() as f32];
    }
    let bytes = POINTS * 8;
    let host = data.as_mut_ptr() as *mut c_void;
    unsafe {
        let (mut platform, mut device, mut code) = (null_mut(), null_mut(), 0);
        assert!(clGetPlatformIDs(1, &mut platform, null_mut()) == 0);
        assert!(clGetDeviceIDs(platform, ALL_DEVICES, 1, &mut device, null_mut()) == 0);
        let context = clCreateContext(null(), 1, &device, null(), null_mut(), &mut code);
        let queue = clCreateCommandQueue(context, device, 0, &mut code);
        let buffer = clCreateBuffer(context, COPY_HOST, bytes, host, &mut code);
        assert!(code == 0);
        spectrum(context, device, queue, buffer, POINTS);
        let read = clEnqueueReadBuffer(queue, buffer, 1, 0, bytes, host, 0, null(), null_mut());
        assert!(read == 0);
    }
    let size = |x: &[f32; 2]| x[0].hypot(x[1]);
    let peak = (0..POINTS).max_by(|&a, &b| size(&data[a]).total_cmp(&size(&data[b]))).unwrap();
    println!("the largest coefficient is {}, of size {:.1}", peak, size(&data[peak]));
    assert!(peak == 7 && (size(&data[peak]) - POINTS as f32).abs() < 0.1);
}
