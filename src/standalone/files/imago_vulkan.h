/* Runs exported programs on Vulkan devices, version 1.1 or later, with the
   features that their kernels need: shaderInt64, for double precision
   shaderFloat64, for half precision and short integers the storage of 16 and 8
   bits. */
#ifndef IMAGO_VULKAN_H
#define IMAGO_VULKAN_H

#include <vulkan/vulkan.h>

#include "imago_program.h"

#if defined(__cplusplus)
extern "C" {
#endif

typedef struct {
  VkPhysicalDevice physical;
  VkDevice device;
} imago_vulkan_device;

typedef struct imago_vulkan imago_vulkan;

/* Makes the pipelines of the kernels, which are files in `folder`, and the
   buffers of tables and scratch, in memory that the host can write. Returns
   NULL and sets *result if that fails. */
imago_vulkan* imago_vulkan_create(const imago_program* program, const char* folder,
                                  const imago_vulkan_device* device, VkResult* result);
/* The arrays of a call: storage buffers. imaginary parts of planar arrays, else
   VK_NULL_HANDLE; factors of hooks and their numbers in their order, or NULL.
   In place, in and out are the same. */
typedef struct {
  VkBuffer in, in_im, out, out_im;
  const VkBuffer* factors;
  const double* numbers;
} imago_vulkan_arrays;
/* Sets the arrays of the next recording. No recorded commands may still run. */
void imago_vulkan_set(imago_vulkan* made, const imago_vulkan_arrays* arrays);
/* Records the launches, with a barrier after each. */
void imago_vulkan_record(imago_vulkan* made, VkCommandBuffer commands);
void imago_vulkan_destroy(imago_vulkan* made);

/* Makes a storage buffer in memory that the host can write, with these values
 * if any. */
VkResult imago_vulkan_buffer(const imago_vulkan_device* device, VkDeviceSize bytes,
                             const void* values, VkBuffer* buffer, VkDeviceMemory* memory);

#if defined(__cplusplus)
}
#endif

#endif
