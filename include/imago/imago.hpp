// This file includes all of imago's public API.
#pragma once

#include <imago/convolution.hpp>
#include <imago/convolution_shape.hpp>
#include <imago/dct.hpp>
#include <imago/devices.hpp>
#include <imago/error.hpp>
#include <imago/fft.hpp>
#include <imago/filter.hpp>
#include <imago/filter_shape.hpp>
#include <imago/hooks.hpp>
#include <imago/host_array.hpp>
#include <imago/host_plan.hpp>
#include <imago/log.hpp>
#include <imago/memory.hpp>
#include <imago/multi_device_plan.hpp>
#include <imago/parameters.hpp>
#include <imago/plan.hpp>
#include <imago/pool.hpp>
#include <imago/sparse.hpp>
#include <imago/sparse_tones.hpp>
#include <imago/sparse_transform.hpp>
#include <imago/transform.hpp>
#include <imago/watch.hpp>
#include <imago/zoom.hpp>
#include <imago/zoom_transform.hpp>
