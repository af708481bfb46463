/* Runs the exported transforms for check.c, on the first Vulkan device. The
   kernels are in the folder that TRANSFORMS_FOLDER names when this is compiled.
 */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "imago_vulkan.h"
#include "transforms.h"

static imago_vulkan_device device;
static VkQueue queue;
static VkCommandPool pool;

static VkResult start(void) {
  const float priority = 1;
  VkApplicationInfo application = {0};
  VkInstanceCreateInfo instance_info = {0};
  VkDeviceQueueCreateInfo queue_info = {0};
  VkDeviceCreateInfo device_info = {0};
  VkCommandPoolCreateInfo pool_info = {0};
  VkPhysicalDevice8BitStorageFeatures bytes = {0};
  VkPhysicalDevice16BitStorageFeatures halves = {0};
  VkPhysicalDeviceFeatures2 features = {0};
  VkQueueFamilyProperties families[16];
  VkInstance instance;
  uint32_t count = 1, family = 0, families_count = 16;
  VkResult result;
  application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
  application.apiVersion = VK_MAKE_VERSION(1, 2, 0);
  instance_info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
  instance_info.pApplicationInfo = &application;
  result = vkCreateInstance(&instance_info, NULL, &instance);
  if (result != VK_SUCCESS) return result;
  result = vkEnumeratePhysicalDevices(instance, &count, &device.physical);
  if (count == 0) return VK_ERROR_INITIALIZATION_FAILED;
  if (result != VK_SUCCESS && result != VK_INCOMPLETE) return result;
  vkGetPhysicalDeviceQueueFamilyProperties(device.physical, &families_count, families);
  while (family < families_count && !(families[family].queueFlags & VK_QUEUE_COMPUTE_BIT)) ++family;
  if (family == families_count) return VK_ERROR_FEATURE_NOT_PRESENT;
  features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  features.pNext = &halves;
  halves.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES;
  halves.pNext = &bytes;
  bytes.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_8BIT_STORAGE_FEATURES;
  vkGetPhysicalDeviceFeatures2(device.physical, &features); /* enables all that there are */
  features.features.robustBufferAccess = VK_FALSE;
  queue_info.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
  queue_info.queueFamilyIndex = family;
  queue_info.queueCount = 1;
  queue_info.pQueuePriorities = &priority;
  device_info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
  device_info.pNext = &features;
  device_info.queueCreateInfoCount = 1;
  device_info.pQueueCreateInfos = &queue_info;
  result = vkCreateDevice(device.physical, &device_info, NULL, &device.device);
  if (result != VK_SUCCESS) return result;
  vkGetDeviceQueue(device.device, family, 0, &queue);
  pool_info.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
  pool_info.queueFamilyIndex = family;
  return vkCreateCommandPool(device.device, &pool_info, NULL, &pool);
}

int imago_start(void) {
  const VkResult result = start();
  if (result != VK_SUCCESS) printf("Vulkan error %d: is there a device?\n", result);
  return result != VK_SUCCESS;
}

typedef struct {
  VkBuffer buffer;
  VkDeviceMemory memory;
} array;

static VkResult make(array* made, const void* values, size_t bytes, VkResult before) {
  if (before != VK_SUCCESS || !values) return before;
  return imago_vulkan_buffer(&device, bytes, values, &made->buffer, &made->memory);
}

static void drop(array* made) {
  vkDestroyBuffer(device.device, made->buffer, NULL);
  vkFreeMemory(device.device, made->memory, NULL);
}

static VkResult read_back(const array* made, void* values, size_t bytes, VkResult before) {
  void* mapped = NULL;
  VkResult result = before;
  if (result != VK_SUCCESS || !values) return result;
  result = vkMapMemory(device.device, made->memory, 0, bytes, 0, &mapped);
  if (result != VK_SUCCESS) return result;
  memcpy(values, mapped, bytes);
  vkUnmapMemory(device.device, made->memory);
  return VK_SUCCESS;
}

static VkResult call(imago_vulkan* made, const imago_vulkan_arrays* arrays) {
  VkCommandBufferAllocateInfo allocation = {0};
  VkCommandBufferBeginInfo begin = {0};
  VkSubmitInfo submit = {0};
  VkCommandBuffer commands;
  VkResult result;
  allocation.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
  allocation.commandPool = pool;
  allocation.commandBufferCount = 1;
  result = vkAllocateCommandBuffers(device.device, &allocation, &commands);
  if (result != VK_SUCCESS) return result;
  begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
  imago_vulkan_set(made, arrays);
  result = vkBeginCommandBuffer(commands, &begin);
  if (result == VK_SUCCESS) imago_vulkan_record(made, commands);
  if (result == VK_SUCCESS) result = vkEndCommandBuffer(commands);
  submit.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
  submit.commandBufferCount = 1;
  submit.pCommandBuffers = &commands;
  if (result == VK_SUCCESS) result = vkQueueSubmit(queue, 1, &submit, VK_NULL_HANDLE);
  if (result == VK_SUCCESS) result = vkQueueWaitIdle(queue);
  vkFreeCommandBuffers(device.device, pool, 1, &commands);
  return result;
}

int imago_run(int number, int is_inverse, const void* in, const void* in_im, void* out,
              void* out_im, const void* const* factors, const double* numbers) {
  enum { MOST = 8 };
  const imago_program* program = imago_programs[number][is_inverse];
  array arrays[4], given[MOST];
  VkBuffer buffers[MOST];
  imago_vulkan_arrays call_arrays;
  VkResult result = VK_SUCCESS;
  imago_vulkan* made = imago_vulkan_create(program, TRANSFORMS_FOLDER, &device, &result);
  memset(arrays, 0, sizeof arrays), memset(given, 0, sizeof given);
  memset(buffers, 0, sizeof buffers);
  result = make(&arrays[0], in, program->in_bytes, result);
  result = make(&arrays[1], in_im, program->in_bytes, result);
  if (!program->is_in_place) {
    result = make(&arrays[2], out, program->out_bytes, result);
    result = make(&arrays[3], out_im, program->out_bytes, result);
  }
  for (int i = 0; i < program->factor_count && i < MOST; ++i) {
    result = make(&given[i], factors[i], program->factor_bytes[i], result);
    buffers[i] = given[i].buffer;
  }
  {
    const int first = program->is_in_place ? 0 : 2;
    call_arrays.in = arrays[0].buffer, call_arrays.in_im = arrays[1].buffer;
    call_arrays.out = arrays[first].buffer, call_arrays.out_im = arrays[first + 1].buffer;
    call_arrays.factors = buffers, call_arrays.numbers = numbers;
    if (result == VK_SUCCESS) result = call(made, &call_arrays);
    result = read_back(&arrays[first], out, program->out_bytes, result);
    result = read_back(&arrays[first + 1], out_im, program->out_bytes, result);
  }
  for (int i = 0; i < 4; ++i) drop(&arrays[i]);
  for (int i = 0; i < MOST; ++i) drop(&given[i]);
  imago_vulkan_destroy(made);
  if (result != VK_SUCCESS) printf("%s: Vulkan error %d\n", program->name, result);
  return result != VK_SUCCESS;
}
