/* This file is a user's program in C with OpenCL; it also compiles as C++. It uses the zooms, rows
   of different lengths, short-time transforms, averaged spectra, streams and exact convolutions of
   imago_cl.h and compares the results with sums. It prints "all right", or what was wrong. */
#include "cl_support.h"

/* Returns 1 if a number (re, im) is the value. */
static int near_value(const float* z, double re, double im) {
  return fabs(z[0] - re) < 1e-3 && fabs(z[1] - im) < 1e-3;
}

/* Checks that the call failed, with a message that has the text. */
static void check_failure(imago_status status, const char* text) {
  check(status == IMAGO_INVALID_ARGUMENT && strstr(imago_last_error(), text) != NULL, text);
}

/* A column of frequencies from 100 Hz to 300 Hz, and the adjoint. */
/* Three real rows of two fields. Spectra are truncated, and each begins at an even element; entry 1
   is doubled. */
static void check_ragged(void) {
  enum { rows = 3, fields = 2, all = 4 + 7 + 6, kept_all = 2 + 4 + 3, places = 14 };
  const size_t lengths[rows] = {4, 7, 6}, kept[rows] = {2, 4, 3}, offsets[rows] = {10, 0, 6};
  const size_t first[rows] = {0, 4, 11};
  double factors[kept_all][2];
  float signal[fields][all], spectrum[fields][places][2], back[fields][all];
  for (int f = 0; f < fields; ++f)
    for (int j = 0; j < all; ++j) signal[f][j] = (float)(j * 5 % 7 - 3 + f);
  for (int k = 0; k < kept_all; ++k) {
    factors[k][0] = k == 1 || k == 3 || k == 7 ? 2 : 1;
    factors[k][1] = 0;
  }
  imago_ragged_transform transform;
  memset(&transform, 0, sizeof transform);
  transform.size = sizeof transform;
  imago_cl_ragged* ragged = NULL;
  check(
      imago_cl_ragged_create(context, device, &transform, NULL, &ragged) == IMAGO_INVALID_ARGUMENT,
      "no rows");
  transform.rows = rows;
  transform.lengths = lengths;
  transform.batch = fields;
  transform.kind = IMAGO_REAL;
  transform.kept = kept;
  transform.spectrum.offsets = offsets;
  transform.spectrum.distance = places;
  transform.forward_store = &factors[0][0];
  check(good(imago_cl_ragged_create(context, device, &transform, NULL, &ragged)), "rows");
  check(imago_cl_ragged_signal_bytes(ragged) == sizeof signal, "bytes of the rows");
  check(imago_cl_ragged_spectrum_bytes(ragged) == sizeof spectrum - 2 * 2 * sizeof(float),
        "bytes of the spectra");
  check(imago_cl_ragged_table_bytes(ragged) > 0, "bytes of tables");
  check(imago_cl_ragged_describe(ragged, NULL, 0) > 0, "a description");
  CHECK_KERNELS(ragged, ragged);
  imago_estimate estimate = imago_no_estimate();
  check(good(imago_cl_ragged_estimate(device, &transform, NULL, &estimate)), "an estimate");
  check(estimate.signal_bytes == sizeof signal &&
            estimate.workspace_bytes == imago_cl_ragged_workspace_bytes(ragged),
        "the bytes of an estimate");

  cl_mem in = buffer_of(sizeof signal, signal), out = buffer_of(sizeof spectrum, NULL);
  cl_mem again = buffer_of(sizeof back, NULL);
  check(good(imago_cl_ragged_forward(ragged, queue, imago_array_of(in), imago_array_of(out), NULL)),
        "forward");
  check(good(imago_cl_ragged_inverse(ragged, queue, imago_array_of(out), imago_array_of(again),
                                     NULL)),
        "inverse");
  read_back(out, sizeof spectrum, spectrum);
  read_back(again, sizeof back, back);
  for (int f = 0; f < fields; ++f)
    for (int r = 0; r < rows; ++r) {
      const int n = (int)lengths[r];
      double mean = 0;
      for (int k = 0; k < (int)kept[r]; ++k) {
        double re = 0, im = 0;
        for (int j = 0; j < n; ++j) {
          re += signal[f][first[r] + (size_t)j] * cos(angle(j, k, n));
          im -= signal[f][first[r] + (size_t)j] * sin(angle(j, k, n));
        }
        const double factor = k == 1 ? 2 : 1;
        check(near_value(spectrum[f][offsets[r] + (size_t)k], factor * re, factor * im),
              "an entry of a row");
        if (k == 0) mean = re / n;
      }
      double sum = 0;
      for (int j = 0; j < n; ++j) sum += back[f][first[r] + (size_t)j];
      check(fabs(sum / n - mean) < 1e-3, "the mean of a row");
    }
  imago_cl_ragged_destroy(ragged);
  clReleaseMemObject(in);
  clReleaseMemObject(out);
  clReleaseMemObject(again);
}

static void check_zoom(void) {
  enum { n = 24, columns = 2, points = 5 };
  const size_t lengths[] = {n, columns};
  const double rate = 1000;
  float signal[n][columns][2], spectrum[points][columns][2], adjoint[n][columns][2];
  for (int j = 0; j < n; ++j)
    for (int c = 0; c < columns; ++c) {
      signal[j][c][0] = (float)(j * 7 % 5 - 2 + c);
      signal[j][c][1] = (float)(j * 3 % 4 - c);
    }
  imago_zoom_transform transform = imago_zoom_of(2, lengths, points);
  check(transform.axis == 1 && transform.to == 1, "the last axis, the whole circle");
  transform.axis = 0;
  transform.from = 100;
  transform.to = 300;
  transform.rate = rate;
  transform.endpoint = 1;
  imago_cl_zoom* zoom = NULL;
  check(good(imago_cl_zoom_create(context, device, &transform, NULL, &zoom)), "a zoom");
  check(imago_cl_zoom_signal_bytes(zoom) == sizeof signal, "bytes of the signal");
  check(imago_cl_zoom_spectrum_bytes(zoom) == sizeof spectrum, "bytes of the spectrum");
  check(imago_cl_zoom_table_bytes(zoom) > 0, "bytes of chirps");
  check(imago_cl_zoom_describe(zoom, NULL, 0) > 0, "a description");
  CHECK_KERNELS(zoom, zoom);
  CHECK_READY(zoom, zoom);
  imago_layout layout;
  check(good(imago_cl_zoom_layout(zoom, IMAGO_SPECTRUM, &layout)), "a layout");
  check(layout.strides[0] == columns && layout.strides[1] == 1, "a packed spectrum");
  imago_estimate estimate = imago_no_estimate();
  check(good(imago_cl_zoom_estimate(device, &transform, NULL, &estimate)), "an estimate");
  check(estimate.signal_bytes == sizeof signal && estimate.spectrum_bytes == sizeof spectrum &&
            estimate.workspace_bytes == imago_cl_zoom_workspace_bytes(zoom),
        "the bytes of an estimate");

  cl_mem in = buffer_of(sizeof signal, signal), out = buffer_of(sizeof spectrum, NULL);
  cl_mem back = buffer_of(sizeof adjoint, NULL);
  check(good(imago_cl_zoom_forward(zoom, queue, imago_array_of(in), imago_array_of(out), NULL)),
        "forward");
  check(good(imago_cl_zoom_adjoint(zoom, queue, imago_array_of(out), imago_array_of(back), NULL)),
        "the adjoint");
  read_back(out, sizeof spectrum, spectrum);
  read_back(back, sizeof adjoint, adjoint);
  for (int k = 0; k < points; ++k)
    for (int c = 0; c < columns; ++c) {
      double re = 0, im = 0;
      for (int j = 0; j < n; ++j) {
        const double a = 6.283185307179586 * j * (100 + 50 * k) / rate;
        re += signal[j][c][0] * cos(a) + signal[j][c][1] * sin(a);
        im += signal[j][c][1] * cos(a) - signal[j][c][0] * sin(a);
      }
      check(near_value(spectrum[k][c], re, im), "a frequency");
    }
  for (int j = 0; j < n; ++j) {
    double re = 0, im = 0;
    for (int k = 0; k < points; ++k) {
      const double a = 6.283185307179586 * j * (100 + 50 * k) / rate;
      re += spectrum[k][1][0] * cos(a) - spectrum[k][1][1] * sin(a);
      im += spectrum[k][1][1] * cos(a) + spectrum[k][1][0] * sin(a);
    }
    check(near_value(adjoint[j][1], re, im), "a sample of the adjoint");
  }
  imago_cl_zoom_destroy(zoom);

  /* Points z[k] = i exp(2 pi i k / points), and a real signal. */
  const imago_spiral spiral = {{0, 1}, {0, 0}};
  transform = imago_zoom_of(1, lengths, points);
  transform.spiral = &spiral;
  transform.signal_storage = IMAGO_REAL_PARTS;
  transform.directions = IMAGO_ONLY_FORWARD;
  check(good(imago_cl_zoom_create(context, device, &transform, NULL, &zoom)), "a spiral");
  check(imago_cl_zoom_signal_bytes(zoom) == n * sizeof(float), "bytes of real numbers");
  check(good(imago_cl_zoom_forward(zoom, queue, imago_array_of(in), imago_array_of(out), NULL)),
        "forward");
  read_back(out, points * 2 * sizeof(float), spectrum);
  const float* reals = &signal[0][0][0];
  const float* numbers = &spectrum[0][0][0];
  for (int k = 0; k < points; ++k) {
    double re = 0, im = 0;
    for (int j = 0; j < n; ++j) {
      const double a = angle(j, 4 * k + points, 4 * points);
      re += reals[j] * cos(a);
      im -= reals[j] * sin(a);
    }
    check(near_value(numbers + 2 * k, re, im), "a point of the spiral");
  }
  check_failure(imago_cl_zoom_adjoint(zoom, queue, imago_array_of(out), imago_array_of(in), NULL),
                "directions is forward");
  imago_cl_zoom_destroy(zoom);

  zoom = NULL;
  transform.rate = -1;
  transform.spiral = NULL;
  check_failure(imago_cl_zoom_create(context, device, &transform, NULL, &zoom), "rate is -1");
  check(zoom == NULL, "no zoom");
  transform.directions = (imago_directions)3;
  check_failure(imago_cl_zoom_create(context, device, &transform, NULL, &zoom), "directions is 3");
  transform.size = 0;
  check_failure(imago_cl_zoom_create(context, device, &transform, NULL, &zoom),
                "sizeof(imago_zoom_transform)");
  check_failure(imago_cl_zoom_create(context, device, NULL, NULL, &zoom), "zoom_transform is null");
  check_failure(imago_cl_zoom_create(context, device, &transform, NULL, NULL), "zoom is null");
  check_failure(imago_cl_zoom_forward(NULL, queue, imago_array_of(in), imago_array_of(out), NULL),
                "zoom is null");
  check(imago_cl_zoom_signal_bytes(NULL) == 0, "bytes of no zoom");
  imago_cl_zoom_destroy(NULL);
  clReleaseMemObject(in);
  clReleaseMemObject(out);
  clReleaseMemObject(back);
}

enum { frame = 8, hop = 4, points = 10, bins = points / 2 + 1 };
static const double window[frame] = {0.1, 0.4, 0.8, 1, 1, 0.8, 0.4, 0.1};

/* Stores bin k of the frame whose first sample is `first`, before which and after n samples are
   zeros. */
static void frame_bin(const float* signal, int n, int first, int k, double* re, double* im) {
  *re = *im = 0;
  for (int j = 0; j < frame; ++j) {
    if (first + j < 0 || first + j >= n) continue;
    *re += signal[first + j] * window[j] * cos(angle(k, j, points));
    *im -= signal[first + j] * window[j] * sin(angle(k, j, points));
  }
}

/* Two signals in frames and back, and dual windows. */
static void check_short_time(void) {
  enum { n = 21, batch = 2, frames = 7 };
  const size_t lengths[] = {n};
  float signal[batch][n], spectra[batch][frames][bins][2], back[batch][n];
  for (int j = 0; j < batch * n; ++j) (&signal[0][0])[j] = (float)(j * 7 % 5 - 2);
  imago_short_time_transform transform = imago_short_time_of(1, lengths, frame, window, hop);
  check(transform.kind == IMAGO_REAL && transform.before == frame - hop, "the defaults");
  transform.batch = batch;
  transform.points = points;
  imago_cl_short_time* plan = NULL;
  check(good(imago_cl_short_time_create(context, device, &transform, NULL, &plan)), "frames");
  check(imago_cl_short_time_frames(plan) == frames, "the number of frames");
  check(imago_cl_short_time_bins(plan) == bins, "the number of bins");
  check(imago_cl_short_time_signal_bytes(plan) == sizeof signal, "bytes of the signals");
  check(imago_cl_short_time_spectrum_bytes(plan) == sizeof spectra, "bytes of the spectra");
  check(imago_cl_short_time_describe(plan, NULL, 0) > 0, "a description");
  CHECK_KERNELS(short_time, plan);
  CHECK_READY(short_time, plan);
  CHECK_ESTIMATE(short_time, plan, &transform);
  imago_layout layout;
  check(good(imago_cl_short_time_layout(plan, IMAGO_SPECTRUM, &layout)), "a layout");
  check(layout.strides[0] == bins && layout.strides[1] == 1, "packed spectra");
  cl_mem in = buffer_of(sizeof signal, signal), out = buffer_of(sizeof spectra, NULL);
  cl_mem result = buffer_of(sizeof back, NULL);
  check(
      good(imago_cl_short_time_forward(plan, queue, imago_array_of(in), imago_array_of(out), NULL)),
      "forward");
  check(good(imago_cl_short_time_inverse(plan, queue, imago_array_of(out), imago_array_of(result),
                                         NULL)),
        "inverse");
  read_back(out, sizeof spectra, spectra);
  read_back(result, sizeof back, back);
  for (int b = 0; b < batch; ++b)
    for (int i = 0; i < frames; ++i)
      for (int k = 0; k < bins; ++k) {
        double re, im;
        frame_bin(signal[b], n, (i - 1) * hop, k, &re, &im);
        check(near_value(spectra[b][i][k], re, im), "a bin");
      }
  for (int j = 0; j < batch * n; ++j)
    check(fabsf((&back[0][0])[j] - (&signal[0][0])[j]) < 1e-4f, "there and back");
  imago_cl_short_time_destroy(plan);

  double dual[frame], dual_im[frame];
  const double imaginary[frame] = {0.2, 0, 0, -0.3, 0, 0, 0, 0.5};
  check(good(imago_dual_window(frame, window, imaginary, hop, dual, dual_im)), "a dual window");
  for (int j = 0; j < frame; ++j) {
    double energy = 0;
    for (int i = j % hop; i < frame; i += hop)
      energy += window[i] * window[i] + imaginary[i] * imaginary[i];
    check(fabs(dual[j] - window[j] / energy) < 1e-12, "the dual window");
    check(fabs(dual_im[j] - imaginary[j] / energy) < 1e-12, "its imaginary parts");
  }
  check(good(imago_dual_window(frame, window, NULL, hop, dual, NULL)), "a real one");
  check_failure(imago_dual_window(frame, window, NULL, 0, dual, NULL), "hop is 0");
  check_failure(imago_dual_window(frame, NULL, NULL, hop, dual, NULL), "window is null");

  /* Twice the dual window: twice the signal. Complex windows need complex arrays. */
  for (int j = 0; j < frame; ++j) dual[j] *= 2;
  transform.dual = dual;
  transform.directions = IMAGO_ONLY_INVERSE;
  check(good(imago_cl_short_time_create(context, device, &transform, NULL, &plan)), "a dual");
  check(good(imago_cl_short_time_inverse(plan, queue, imago_array_of(out), imago_array_of(result),
                                         NULL)),
        "inverse");
  read_back(result, sizeof back, back);
  for (int j = 0; j < batch * n; ++j)
    check(fabsf((&back[0][0])[j] - 2 * (&signal[0][0])[j]) < 1e-4f, "twice the signal");
  check_failure(
      imago_cl_short_time_forward(plan, queue, imago_array_of(in), imago_array_of(out), NULL),
      "directions is inverse");
  imago_cl_short_time_destroy(plan);
  plan = NULL;
  transform.window_im = imaginary;
  check_failure(imago_cl_short_time_create(context, device, &transform, NULL, &plan),
                "window is complex");
  transform.border = (imago_border)4;
  check_failure(imago_cl_short_time_create(context, device, &transform, NULL, &plan),
                "border is 4");
  transform.window = NULL;
  check_failure(imago_cl_short_time_create(context, device, &transform, NULL, &plan),
                "window is null");
  check(plan == NULL && imago_cl_short_time_frames(NULL) == 0, "no plan");
  check_failure(
      imago_cl_short_time_forward(NULL, queue, imago_array_of(in), imago_array_of(out), NULL),
      "short_time is null");
  imago_cl_short_time_destroy(NULL);
  clReleaseMemObject(in);
  clReleaseMemObject(out);
  clReleaseMemObject(result);
}

/* The mean power of frames, and the mean of conj(X) Y. */
static void check_welch(void) {
  enum { n = 23, frames = (n - frame) / hop + 1 };
  const size_t lengths[] = {n};
  float signal[n], other[n], power[bins], cross[bins][2];
  for (int j = 0; j < n; ++j) {
    signal[j] = (float)(j * 7 % 5 - 2);
    other[j] = (float)(j * 3 % 7 - 3);
  }
  imago_welch_transform transform = imago_welch_of(1, lengths, frame, window, hop);
  transform.points = points;
  imago_cl_welch* welch = NULL;
  check(good(imago_cl_welch_create(context, device, &transform, NULL, &welch)), "powers");
  check(imago_cl_welch_frames(welch) == frames, "the number of frames");
  check(imago_cl_welch_bins(welch) == bins, "the number of bins");
  check(imago_cl_welch_signal_bytes(welch) == sizeof signal, "bytes of the signal");
  check(imago_cl_welch_spectrum_bytes(welch) == sizeof power, "bytes of the powers");
  check(imago_cl_welch_sum_bytes(welch) > 0, "bytes of sums");
  check(imago_cl_welch_describe(welch, NULL, 0) > 0, "a description");
  imago_layout layout;
  check(good(imago_cl_welch_layout(welch, IMAGO_SIGNAL, &layout)) && layout.strides[0] == 1 &&
            layout.distance == 0,
        "a packed signal");
  check(good(imago_cl_welch_layout(welch, IMAGO_SPECTRUM, &layout)) && layout.strides[0] == 1,
        "packed powers");
  CHECK_KERNELS(welch, welch);
  CHECK_READY(welch, welch);
  CHECK_ESTIMATE(welch, welch, &transform);
  cl_mem in = buffer_of(sizeof signal, signal), second = buffer_of(sizeof other, other);
  cl_mem out = buffer_of(sizeof cross, NULL);
  check(good(imago_cl_welch_power(welch, queue, imago_array_of(in), imago_array_of(out), NULL)),
        "power");
  read_back(out, sizeof power, power);
  check_failure(imago_cl_welch_cross(welch, queue, imago_array_of(in), imago_array_of(second),
                                     imago_array_of(out), NULL),
                "cross");
  imago_cl_welch_destroy(welch);

  transform.cross = 1;
  check(good(imago_cl_welch_create(context, device, &transform, NULL, &welch)), "cross spectra");
  check(imago_cl_welch_other_bytes(welch) == sizeof other, "bytes of the second signal");
  check(imago_cl_welch_spectrum_bytes(welch) == sizeof cross, "bytes of the cross spectrum");
  check(good(imago_cl_welch_cross(welch, queue, imago_array_of(in), imago_array_of(second),
                                  imago_array_of(out), NULL)),
        "cross");
  read_back(out, sizeof cross, cross);
  imago_cl_welch_destroy(welch);
  for (int k = 0; k < bins; ++k) {
    const double count = frames;
    double mean = 0, re = 0, im = 0;
    for (int i = 0; i < frames; ++i) {
      double x, x_im, y, y_im;
      frame_bin(signal, n, i * hop, k, &x, &x_im);
      frame_bin(other, n, i * hop, k, &y, &y_im);
      mean += (x * x + x_im * x_im) / count;
      re += (x * y + x_im * y_im) / count;
      im += (x * y_im - x_im * y) / count;
    }
    check(fabs(power[k] - mean) < 1e-3, "a power");
    check(near_value(cross[k], re, im), "a cross power");
  }

  welch = NULL;
  transform.kind = IMAGO_DCT2;
  check_failure(imago_cl_welch_create(context, device, &transform, NULL, &welch), "kind is dct2");
  transform.window = NULL;
  check_failure(imago_cl_welch_create(context, device, &transform, NULL, &welch), "window is null");
  check(welch == NULL && imago_cl_welch_bins(NULL) == 0, "no averaged spectrum");
  check_failure(imago_cl_welch_power(NULL, queue, imago_array_of(in), imago_array_of(out), NULL),
                "welch is null");
  imago_cl_welch_destroy(NULL);
  clReleaseMemObject(in);
  clReleaseMemObject(second);
  clReleaseMemObject(out);
}

/* Frames of a signal that arrives in three blocks, and a filter. */
static void check_stream(void) {
  enum { n = 21, most = 9, frames = 7, taps_count = 3 };
  const size_t lengths[] = {most};
  float signal[n], spectra[frames][bins][2], filtered[n + taps_count - 1];
  for (int j = 0; j < n; ++j) signal[j] = (float)(j * 7 % 5 - 2);
  imago_short_time_transform transform = imago_short_time_of(1, lengths, frame, window, hop);
  transform.points = points;
  transform.directions = IMAGO_ONLY_FORWARD;
  imago_cl_stream* stream = NULL;
  check(good(imago_cl_stream_create(queue, &transform, NULL, &stream)), "a stream");
  check(imago_cl_stream_most(stream) == most, "the largest block");
  check(imago_cl_stream_input_bytes(stream, most) == most * sizeof(float), "bytes of samples");
  check(imago_cl_stream_result_bytes(stream, frames) == sizeof spectra, "bytes of frames");
  check(imago_cl_stream_kept_bytes(stream) > 0, "bytes of memory");
  check(imago_cl_stream_describe(stream, NULL, 0) > 0, "a description");
  CHECK_KERNELS(stream, stream);
  CHECK_READY(stream, stream);
  CHECK_ESTIMATE(stream, stream, &transform);
  cl_mem in = buffer_of(sizeof signal, signal), out = buffer_of(sizeof spectra, NULL);
  imago_array from = imago_array_of(in), to = imago_array_of(out);
  size_t total = 0, results = 0;
  for (size_t done = 0; done < n;) {
    const size_t count = n - done < most ? n - done : (size_t)most;
    const size_t expected = imago_cl_stream_results(stream, count);
    check(expected <= imago_cl_stream_most_results(stream), "the most results");
    from.offset = done;
    to.offset = total * bins;
    check(good(imago_cl_stream_push(stream, from, count, to, NULL, &results)), "a block");
    check(results == expected, "the number of results");
    done += count;
    total += results;
  }
  to.offset = total * bins;
  const size_t left = imago_cl_stream_remaining(stream);
  check(good(imago_cl_stream_finish(stream, to, NULL, &results)), "the end");
  check(results == left && total + left == frames, "all frames");
  read_back(out, sizeof spectra, spectra);
  for (int i = 0; i < frames; ++i)
    for (int k = 0; k < bins; ++k) {
      double re, im;
      frame_bin(signal, n, (i - 1) * hop, k, &re, &im);
      check(near_value(spectra[i][k], re, im), "a bin of a stream");
    }
  from.offset = 0;
  results = 1;
  check(imago_cl_stream_push(stream, from, most + 1, to, NULL, &results) == IMAGO_INVALID_ARGUMENT,
        "too many samples");
  check(results == 0, "no results");
  check(good(imago_cl_stream_reset(stream)), "a new stream");
  imago_cl_stream_destroy(stream);

  const double taps[taps_count] = {0.5, -1, 0.25};
  imago_fir_filter filter = imago_fir_filter_of(1, lengths, taps_count, taps);
  cl_mem result = buffer_of(sizeof filtered, NULL);
  for (int every = 1; every <= 3; ++every) {
    const int up = every == 3 ? 2 : 1;
    filter.decimation = every == 1 ? 0 : (size_t)every;
    filter.interpolation = up == 1 ? 0 : (size_t)up;
    check(good(imago_cl_stream_create_fir(queue, &filter, NULL, &stream)), "a filter");
    imago_estimate estimate = imago_no_estimate();
    check(good(imago_cl_stream_estimate_fir(device, &filter, NULL, &estimate)), "its estimate");
    check(estimate.signal_bytes == imago_cl_stream_input_bytes(stream, most) &&
              estimate.workspace_bytes == imago_cl_stream_workspace_bytes(stream),
          "the bytes of an estimate");
    to = imago_array_of(result);
    for (size_t done = 0; done < n; done += 7) {
      from.offset = done;
      check(good(imago_cl_stream_push(stream, from, 7, to, NULL, &results)), "a block");
      to.offset += results;
    }
    check(good(imago_cl_stream_finish(stream, to, NULL, &results)), "the end");
    const int count = ((n - 1) * up + taps_count + every - 1) / every;
    check(to.offset + results == (size_t)count, "all results");
    read_back(result, sizeof filtered, filtered);
    for (int i = 0; i < count; ++i) {
      const int t = i * every;
      double sum = 0;
      for (int j = 0; j < taps_count; ++j)
        if (t - j >= 0 && (t - j) % up == 0 && (t - j) / up < n)
          sum += taps[j] * signal[(t - j) / up];
      check(fabs(filtered[i] - sum) < 1e-4, "a filtered sample");
    }
    imago_cl_stream_destroy(stream);
  }

  stream = NULL;
  filter.taps = NULL;
  check_failure(imago_cl_stream_create_fir(queue, &filter, NULL, &stream), "taps is null");
  transform.directions = IMAGO_BOTH;
  check_failure(imago_cl_stream_create(queue, &transform, NULL, &stream), "directions is both");
  check(imago_cl_stream_create(NULL, &transform, NULL, &stream) == IMAGO_INVALID_ARGUMENT,
        "no queue");
  check(stream == NULL && imago_cl_stream_most(NULL) == 0, "no stream");
  check_failure(imago_cl_stream_reset(NULL), "stream is null");
  check_failure(imago_cl_stream_push(NULL, from, 1, to, NULL, NULL), "stream is null");
  imago_cl_stream_destroy(NULL);
  clReleaseMemObject(in);
  clReleaseMemObject(out);
  clReleaseMemObject(result);
}

/* Polynomials modulo a prime: values, the product of two of them, and its coefficients. */
static void check_modular(void) {
  enum { n = 8, p = 2013265921 };
  uint32_t first[n] = {p - 1, 2, 3}, second[n] = {5, 7, p - 11, 13}, values[2][n];
  const size_t lengths[] = {n}, twelve[] = {12};
  imago_modular_transform transform = imago_modular_transform_of(IMAGO_BABY_BEAR, 1, lengths);
  check(transform.coset == 1 && transform.batch == 1, "one transform");
  transform.coset = 31;
  imago_cl_modular* modular = NULL;
  check(good(imago_cl_modular_create(context, device, &transform, NULL, &modular)), "a plan");
  check(imago_cl_modular_bytes(modular) == sizeof first, "its bytes");
  check(imago_cl_modular_bytes(NULL) == 0, "no bytes");
  check(imago_cl_modular_workspace_bytes(NULL) == 0, "no workspace");
  check(imago_cl_modular_describe(modular, NULL, 0) > 0, "a description");
  CHECK_KERNELS(modular, modular);
  cl_mem a = buffer_of(sizeof first, first), b = buffer_of(sizeof second, second);
  cl_mem c = buffer_of(sizeof first, NULL);
  check(good(imago_cl_modular_forward(modular, queue, a, c, NULL)), "values");
  read_back(c, sizeof first, values[0]);
  uint64_t sum = 0, power = 1; /* the polynomial at the coset */
  for (int j = 0; j < n; ++j) sum = (sum + first[j] * power) % p, power = power * 31 % p;
  check(values[0][0] == sum, "the value at the coset");
  check(good(imago_cl_modular_forward(modular, queue, b, c, NULL)), "other values");
  read_back(c, sizeof first, values[1]);
  for (int k = 0; k < n; ++k) values[0][k] = (uint32_t)((uint64_t)values[0][k] * values[1][k] % p);
  cl_mem product = buffer_of(sizeof first, values[0]);
  check(good(imago_cl_modular_inverse(modular, queue, product, c, NULL)), "coefficients");
  read_back(c, sizeof first, values[0]);
  for (int k = 0; k < n; ++k) {
    uint64_t wanted = 0;
    for (int i = 0; i <= k; ++i) wanted += (uint64_t)first[i] * second[k - i] % p;
    check(values[0][k] == wanted % p, "a coefficient of the product");
  }
  check_failure(imago_cl_modular_forward(modular, queue, a, a, NULL), "placement");
  imago_cl_modular_destroy(modular);
  transform.lengths = twelve;
  check_failure(imago_cl_modular_create(context, device, &transform, NULL, &modular),
                "a power of two");
  check(modular == NULL, "no plan");
  transform.ring = (imago_ring)3;
  check_failure(imago_cl_modular_create(context, device, &transform, NULL, &modular), "ring is 3");
  imago_cl_modular_destroy(NULL);
  clReleaseMemObject(a);
  clReleaseMemObject(b);
  clReleaseMemObject(c);
  clReleaseMemObject(product);
}

/* Residues along two axes are transformed along each of them. */
static void check_modular_plane(void) {
  enum { rows = 2, columns = 4, p = 2130706433 };
  const size_t lengths[] = {rows, columns};
  uint32_t x[rows * columns] = {1, 2, 3, 4, 5, 6, 7, 8}, found[rows * columns];
  imago_modular_transform transform = imago_modular_transform_of(IMAGO_KOALA_BEAR, 2, lengths);
  transform.placement = IMAGO_IN_PLACE;
  imago_cl_modular* modular = NULL;
  check(good(imago_cl_modular_create(context, device, &transform, NULL, &modular)), "a plane");
  check(imago_cl_modular_bytes(modular) == sizeof x, "bytes of a plane");
  cl_mem plane = buffer_of(sizeof x, x);
  check(good(imago_cl_modular_forward(modular, queue, plane, plane, NULL)), "its spectrum");
  read_back(plane, sizeof found, found);
  check(found[0] == 36 && found[columns] == p - 16, "sums along both axes");
  check(good(imago_cl_modular_inverse(modular, queue, plane, plane, NULL)), "the plane again");
  read_back(plane, sizeof found, found);
  check(memcmp(found, x, sizeof x) == 0, "its residues");
  imago_cl_modular_destroy(modular);
  transform.dimensions = 0;
  check_failure(imago_cl_modular_create(context, device, &transform, NULL, &modular),
                "at least one");
  clReleaseMemObject(plane);
}

/* A cyclic convolution of integers that no double holds, and bounds that prove nothing. */
static void check_integer_convolution(void) {
  enum { n = 40 };
  const int64_t largest = 150000000; /* n times its square is just below 2^60 */
  int64_t first[n], second[n], result[n];
  for (int i = 0; i < n; ++i) {
    first[i] = i % 3 == 0 ? largest : i - largest;
    second[i] = largest - i * i;
  }
  imago_integer_convolution_shape shape =
      imago_integer_convolution_of(n, n, (uint64_t)largest, (uint64_t)largest);
  check(shape.wrap == IMAGO_LINEAR, "a linear convolution");
  shape.wrap = IMAGO_CYCLIC;
  imago_cl_integer_convolution* convolution = NULL;
  check(good(imago_cl_integer_convolution_create(context, device, &shape, NULL, &convolution)),
        "a convolution of integers");
  check(imago_cl_integer_convolution_points(convolution) == 64, "its points");
  check(imago_cl_integer_convolution_memory_bytes(convolution) >= 64 * 16, "its memory");
  check(imago_cl_integer_convolution_workspace_bytes(NULL) == 0, "no workspace");
  check(imago_cl_integer_convolution_describe(convolution, NULL, 0) > 0, "a description");
  CHECK_KERNELS(integer_convolution, convolution);

  cl_mem a = buffer_of(sizeof first, first), b = buffer_of(sizeof second, second);
  cl_mem c = buffer_of(sizeof result, NULL);
  check(good(imago_cl_integer_convolution_apply(convolution, queue, a, b, c, NULL)), "integers");
  read_back(c, sizeof result, result);
  for (int k = 0; k < n; ++k) {
    int64_t sum = 0;
    for (int i = 0; i < n; ++i) sum += first[i] * second[(k - i + n) % n];
    check(result[k] == sum, "a sum of products");
  }
  check_failure(imago_cl_integer_convolution_apply(convolution, queue, a, NULL, c, NULL), "second");
  imago_cl_integer_convolution_destroy(convolution);
  shape.largest_first *= 16;
  check_failure(imago_cl_integer_convolution_create(context, device, &shape, NULL, &convolution),
                "must be at most 2^63 - 1");
  check(convolution == NULL, "no convolution");
  shape.results = IMAGO_INT128;
  check(good(imago_cl_integer_convolution_create(context, device, &shape, NULL, &convolution)),
        "results of 128 bits");
  for (int i = 0; i < n; ++i) first[i] *= 16;
  cl_mem e = buffer_of(sizeof first, first), f = buffer_of(2 * sizeof result, NULL);
  int64_t wide[2 * n];
  check(good(imago_cl_integer_convolution_apply(convolution, queue, e, b, f, NULL)), "wide sums");
  read_back(f, sizeof wide, wide);
  for (int k = 0; k < n; ++k)
    check(wide[2 * k] == (int64_t)((uint64_t)result[k] * 16) && wide[2 * k + 1] == result[k] >> 60,
          "both words");
  imago_cl_integer_convolution_destroy(convolution);
  clReleaseMemObject(e);
  clReleaseMemObject(f);
  shape.results = (imago_integer_results)3;
  check_failure(imago_cl_integer_convolution_create(context, device, &shape, NULL, &convolution),
                "results is 3");
  shape.results = IMAGO_INT64;
  shape.wrap = (imago_wrap)3;
  check_failure(imago_cl_integer_convolution_create(context, device, &shape, NULL, &convolution),
                "wrap is 3");
  imago_cl_integer_convolution_destroy(NULL);
  clReleaseMemObject(a);
  clReleaseMemObject(b);
  clReleaseMemObject(c);
}

int main(void) {
  open_device();
  check_zoom();
  check_ragged();
  check_short_time();
  check_welch();
  check_stream();
  check_integer_convolution();
  check_modular();
  check_modular_plane();
  close_device();
  if (failures == 0) puts("all right");
  return failures == 0 ? 0 : 1;
}
