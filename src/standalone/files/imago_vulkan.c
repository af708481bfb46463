#include "imago_vulkan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The most bytes of push constants that every device has. */
enum { MOST_CONSTANTS = 128 };

typedef struct {
  VkDescriptorSet set;
  unsigned char constants[MOST_CONSTANTS];
  uint32_t bytes;
} launch;

struct imago_vulkan {
  const imago_program* program;
  imago_vulkan_device device;
  VkDescriptorSetLayout* layouts; /* one for each kernel */
  VkPipelineLayout* pipeline_layouts;
  VkPipeline* pipelines;
  VkBuffer *tables, scratch;
  VkDeviceMemory *table_memory, scratch_memory;
  VkDescriptorPool pool;
  launch* launches;
};

static int is_buffer(const imago_argument* argument) {
  return argument->type <= IMAGO_ARGUMENT_FACTORS;
}

/* Places the numbers of a launch as the members of a struct. Returns 0 if they
 * do not fit. */
static int place_numbers(const imago_program* program, const imago_launch* planned,
                         const double* numbers, launch* made) {
  made->bytes = 0;
  for (int i = 0; i < planned->count; ++i) {
    const imago_argument* argument = &program->arguments[planned->first + i];
    unsigned char value[8];
    uint32_t bytes;
    if (is_buffer(argument)) continue;
    bytes = (uint32_t)imago_value(argument, numbers, value);
    made->bytes = (made->bytes + bytes - 1) / bytes * bytes;
    if (made->bytes + bytes > MOST_CONSTANTS) return 0;
    memcpy(made->constants + made->bytes, value, bytes);
    made->bytes += bytes;
  }
  return 1;
}

VkResult imago_vulkan_buffer(const imago_vulkan_device* device, VkDeviceSize bytes,
                             const void* values, VkBuffer* buffer, VkDeviceMemory* memory) {
  const VkMemoryPropertyFlags wanted =
      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  VkPhysicalDeviceMemoryProperties types;
  VkMemoryRequirements needed;
  VkBufferCreateInfo info = {0};
  VkMemoryAllocateInfo allocation = {0};
  VkResult result;
  void* mapped = NULL;
  uint32_t type = 0;
  info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
  info.size = bytes;
  info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
  result = vkCreateBuffer(device->device, &info, NULL, buffer);
  if (result != VK_SUCCESS) return result;
  vkGetBufferMemoryRequirements(device->device, *buffer, &needed);
  vkGetPhysicalDeviceMemoryProperties(device->physical, &types);
  while (type < types.memoryTypeCount &&
         !(needed.memoryTypeBits >> type & 1 &&
           (types.memoryTypes[type].propertyFlags & wanted) == wanted))
    ++type;
  if (type == types.memoryTypeCount) return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  allocation.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
  allocation.allocationSize = needed.size;
  allocation.memoryTypeIndex = type;
  result = vkAllocateMemory(device->device, &allocation, NULL, memory);
  if (result == VK_SUCCESS) result = vkBindBufferMemory(device->device, *buffer, *memory, 0);
  if (result != VK_SUCCESS || !values) return result;
  result = vkMapMemory(device->device, *memory, 0, bytes, 0, &mapped);
  if (result != VK_SUCCESS) return result;
  memcpy(mapped, values, (size_t)bytes);
  vkUnmapMemory(device->device, *memory);
  return VK_SUCCESS;
}

static unsigned char* read_file(const char* folder, const char* name, size_t* bytes) {
  unsigned char* data = NULL;
  long size = 0;
  FILE* file = NULL;
  char* path = malloc(strlen(folder) + strlen(name) + 2);
  if (!path) return NULL;
  sprintf(path, "%s/%s", folder, name);
  file = fopen(path, "rb");
  if (!file) fprintf(stderr, "%s cannot be read\n", path);
  free(path);
  if (!file) return NULL;
  if (fseek(file, 0, SEEK_END) == 0 && (size = ftell(file)) > 0 &&
      (data = malloc((size_t)size)) != NULL) {
    rewind(file);
    *bytes = fread(data, 1, (size_t)size, file);
  }
  fclose(file);
  return data;
}

static VkResult check_limits(const imago_kernel* kernel, const imago_vulkan_device* device,
                             size_t groups) {
  VkPhysicalDeviceProperties found;
  vkGetPhysicalDeviceProperties(device->physical, &found);
  if (kernel->local_bytes <= found.limits.maxComputeSharedMemorySize &&
      kernel->group_size <= found.limits.maxComputeWorkGroupInvocations &&
      kernel->group_size <= found.limits.maxComputeWorkGroupSize[0] &&
      groups <= found.limits.maxComputeWorkGroupCount[0])
    return VK_SUCCESS;
  fprintf(stderr,
          "kernel %s needs %lu bytes of local memory, %lu work-items in a "
          "group and %lu groups; the "
          "device has %lu, %lu and %lu: export again with --local-memory and "
          "--group-size, or a "
          "smaller batch\n",
          kernel->name, (unsigned long)kernel->local_bytes, (unsigned long)kernel->group_size,
          (unsigned long)groups, (unsigned long)found.limits.maxComputeSharedMemorySize,
          (unsigned long)found.limits.maxComputeWorkGroupInvocations,
          (unsigned long)found.limits.maxComputeWorkGroupCount[0]);
  return VK_ERROR_FEATURE_NOT_PRESENT;
}

static VkResult make_layout(imago_vulkan* made, const imago_launch* planned) {
  const imago_argument* arguments = &made->program->arguments[planned->first];
  VkDescriptorSetLayoutBinding* bindings = calloc((size_t)planned->count, sizeof *bindings);
  VkDescriptorSetLayoutCreateInfo info = {0};
  VkPipelineLayoutCreateInfo pipeline = {0};
  VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, MOST_CONSTANTS};
  VkResult result;
  if (!bindings) return VK_ERROR_OUT_OF_HOST_MEMORY;
  for (int i = 0; i < planned->count; ++i) {
    if (!is_buffer(&arguments[i])) continue;
    bindings[info.bindingCount].binding = info.bindingCount;
    bindings[info.bindingCount].descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    bindings[info.bindingCount].descriptorCount = 1;
    bindings[info.bindingCount].stageFlags = VK_SHADER_STAGE_COMPUTE_BIT;
    ++info.bindingCount;
  }
  info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO;
  info.pBindings = bindings;
  result = vkCreateDescriptorSetLayout(made->device.device, &info, NULL,
                                       &made->layouts[planned->kernel]);
  free(bindings);
  if (result != VK_SUCCESS) return result;
  pipeline.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
  pipeline.setLayoutCount = 1;
  pipeline.pSetLayouts = &made->layouts[planned->kernel];
  pipeline.pushConstantRangeCount = 1;
  pipeline.pPushConstantRanges = &range;
  return vkCreatePipelineLayout(made->device.device, &pipeline, NULL,
                                &made->pipeline_layouts[planned->kernel]);
}

static VkResult make_pipeline(imago_vulkan* made, const imago_launch* planned, const char* folder) {
  const imago_kernel* kernel = &made->program->kernels[planned->kernel];
  VkShaderModuleCreateInfo shader = {0};
  VkComputePipelineCreateInfo info = {0};
  VkShaderModule module = VK_NULL_HANDLE;
  size_t bytes = 0;
  unsigned char* code = NULL;
  VkResult result = make_layout(made, planned);
  if (result != VK_SUCCESS) return result;
  code = read_file(folder, kernel->file, &bytes);
  if (!code) return VK_ERROR_INITIALIZATION_FAILED;
  shader.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
  shader.codeSize = bytes;
  shader.pCode = (const uint32_t*)(const void*)code;
  result = vkCreateShaderModule(made->device.device, &shader, NULL, &module);
  if (result == VK_SUCCESS) {
    info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
    info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
    info.stage.module = module;
    info.stage.pName = kernel->name;
    info.layout = made->pipeline_layouts[planned->kernel];
    result = vkCreateComputePipelines(made->device.device, VK_NULL_HANDLE, 1, &info, NULL,
                                      &made->pipelines[planned->kernel]);
    vkDestroyShaderModule(made->device.device, module, NULL);
  }
  free(code);
  return result;
}

static VkResult make_sets(imago_vulkan* made) {
  const imago_program* program = made->program;
  VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1};
  VkDescriptorPoolCreateInfo info = {0};
  VkResult result;
  for (int i = 0; i < program->launch_count; ++i)
    size.descriptorCount += (uint32_t)program->launches[i].count;
  info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
  info.maxSets = (uint32_t)program->launch_count;
  info.poolSizeCount = 1;
  info.pPoolSizes = &size;
  result = vkCreateDescriptorPool(made->device.device, &info, NULL, &made->pool);
  for (int i = 0; result == VK_SUCCESS && i < program->launch_count; ++i) {
    VkDescriptorSetAllocateInfo set = {0};
    set.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO;
    set.descriptorPool = made->pool;
    set.descriptorSetCount = 1;
    set.pSetLayouts = &made->layouts[program->launches[i].kernel];
    result = vkAllocateDescriptorSets(made->device.device, &set, &made->launches[i].set);
  }
  return result;
}

static VkResult make_parts(imago_vulkan* made, const char* folder) {
  const imago_program* program = made->program;
  VkResult result = VK_SUCCESS;
  for (int i = 0; result == VK_SUCCESS && i < program->launch_count; ++i) {
    const imago_launch* planned = &program->launches[i];
    result = check_limits(&program->kernels[planned->kernel], &made->device, planned->groups);
    if (result == VK_SUCCESS && !made->pipelines[planned->kernel])
      result = make_pipeline(made, planned, folder);
    if (result == VK_SUCCESS && !place_numbers(program, planned, NULL, &made->launches[i]))
      result = VK_ERROR_FEATURE_NOT_PRESENT;
  }
  for (int i = 0; result == VK_SUCCESS && i < program->table_count; ++i)
    result = imago_vulkan_buffer(&made->device, program->tables[i].bytes, program->tables[i].values,
                                 &made->tables[i], &made->table_memory[i]);
  if (result == VK_SUCCESS && program->scratch_bytes > 0)
    result = imago_vulkan_buffer(&made->device, program->scratch_bytes, NULL, &made->scratch,
                                 &made->scratch_memory);
  return result == VK_SUCCESS ? make_sets(made) : result;
}

imago_vulkan* imago_vulkan_create(const imago_program* program, const char* folder,
                                  const imago_vulkan_device* device, VkResult* result) {
  imago_vulkan* made = calloc(1, sizeof *made);
  const size_t kernels = (size_t)program->kernel_count + 1,
               tables = (size_t)program->table_count + 1;
  VkResult failed = VK_ERROR_OUT_OF_HOST_MEMORY;
  if (made) {
    made->program = program;
    made->device = *device;
    made->layouts = calloc(kernels, sizeof *made->layouts);
    made->pipeline_layouts = calloc(kernels, sizeof *made->pipeline_layouts);
    made->pipelines = calloc(kernels, sizeof *made->pipelines);
    made->tables = calloc(tables, sizeof *made->tables);
    made->table_memory = calloc(tables, sizeof *made->table_memory);
    made->launches = calloc((size_t)program->launch_count + 1, sizeof *made->launches);
    if (made->layouts && made->pipeline_layouts && made->pipelines && made->tables &&
        made->table_memory && made->launches)
      failed = make_parts(made, folder);
  }
  if (result) *result = failed;
  if (failed == VK_SUCCESS) return made;
  imago_vulkan_destroy(made);
  return NULL;
}

static VkBuffer array_of(const imago_vulkan* made, const imago_argument* argument,
                         const imago_vulkan_arrays* arrays) {
  switch (argument->type) {
    case IMAGO_ARGUMENT_IN:
      return arrays->in;
    case IMAGO_ARGUMENT_IN_IM:
      return arrays->in_im;
    case IMAGO_ARGUMENT_OUT:
      return arrays->out;
    case IMAGO_ARGUMENT_OUT_IM:
      return arrays->out_im;
    case IMAGO_ARGUMENT_TABLE:
      return made->tables[argument->integer];
    case IMAGO_ARGUMENT_FACTORS:
      return arrays->factors[argument->integer];
    default:
      return made->scratch;
  }
}

void imago_vulkan_set(imago_vulkan* made, const imago_vulkan_arrays* arrays) {
  const imago_program* program = made->program;
  for (int i = 0; i < program->launch_count; ++i) {
    const imago_launch* planned = &program->launches[i];
    uint32_t binding = 0;
    place_numbers(program, planned, arrays->numbers, &made->launches[i]);
    for (int k = 0; k < planned->count; ++k) {
      const imago_argument* argument = &program->arguments[planned->first + k];
      VkDescriptorBufferInfo buffer = {VK_NULL_HANDLE, 0, VK_WHOLE_SIZE};
      VkWriteDescriptorSet write = {0};
      if (!is_buffer(argument)) continue;
      buffer.buffer = array_of(made, argument, arrays);
      write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
      write.dstSet = made->launches[i].set;
      write.dstBinding = binding++;
      write.descriptorCount = 1;
      write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
      write.pBufferInfo = &buffer;
      vkUpdateDescriptorSets(made->device.device, 1, &write, 0, NULL);
    }
  }
}

void imago_vulkan_record(imago_vulkan* made, VkCommandBuffer commands) {
  const imago_program* program = made->program;
  VkMemoryBarrier barrier = {0};
  barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
  barrier.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_SHADER_READ_BIT;
  barrier.dstAccessMask =
      VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_HOST_READ_BIT;
  for (int i = 0; i < program->launch_count; ++i) {
    const int kernel = program->launches[i].kernel;
    const launch* each = &made->launches[i];
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, made->pipelines[kernel]);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE,
                            made->pipeline_layouts[kernel], 0, 1, &each->set, 0, NULL);
    vkCmdPushConstants(commands, made->pipeline_layouts[kernel], VK_SHADER_STAGE_COMPUTE_BIT, 0,
                       (each->bytes + 3) / 4 * 4, each->constants);
    vkCmdDispatch(commands, (uint32_t)program->launches[i].groups, 1, 1);
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                         VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_HOST_BIT, 0, 1,
                         &barrier, 0, NULL, 0, NULL);
  }
}

void imago_vulkan_destroy(imago_vulkan* made) {
  VkDevice device;
  if (!made) return;
  device = made->device.device;
  for (int i = 0; i < made->program->kernel_count; ++i) {
    if (made->pipelines) vkDestroyPipeline(device, made->pipelines[i], NULL);
    if (made->pipeline_layouts) vkDestroyPipelineLayout(device, made->pipeline_layouts[i], NULL);
    if (made->layouts) vkDestroyDescriptorSetLayout(device, made->layouts[i], NULL);
  }
  for (int i = 0; i < made->program->table_count; ++i) {
    if (made->tables) vkDestroyBuffer(device, made->tables[i], NULL);
    if (made->table_memory) vkFreeMemory(device, made->table_memory[i], NULL);
  }
  vkDestroyBuffer(device, made->scratch, NULL);
  vkFreeMemory(device, made->scratch_memory, NULL);
  vkDestroyDescriptorPool(device, made->pool, NULL);
  free(made->layouts), free(made->pipeline_layouts), free(made->pipelines);
  free(made->tables), free(made->table_memory), free(made->launches);
  free(made);
}
