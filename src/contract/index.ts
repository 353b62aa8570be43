import { deleteAnimationTask, generateAnimation, getAnimationTask } from './animation.js'
import { listDiaryScenes } from './app-metadata.js'
import { generateAvatar, getAvatarTask, getIdentityAsset, listIdentityAssets, saveAvatarFeedback } from './avatar.js'
import { generateDiaryImages, getDiaryImage, getDiaryTask, listDiaryImages, selectDiaryImage } from './diary.js'
import { addFault, clearFaults, listFaults, removeFault } from './faults.js'
import { generateAiInsights, generateHomeInsights, getInsight, listInsights } from './home.js'
import { generateHealthDetailInsight } from './insight.js'
import { getRequest, listRequests } from './requests.js'
import {
  getClock,
  getHealth,
  getLive,
  getOpenApi,
  getPayloadSchema,
  getReady,
  listModels,
  moveClock,
} from './system.js'
import { getUsage } from './usage.js'

/** Every route of the service. */
export const routes = {
  getHealth,
  getLive,
  getReady,
  listModels,
  generateAvatar,
  getAvatarTask,
  listIdentityAssets,
  getIdentityAsset,
  saveAvatarFeedback,
  generateAnimation,
  getAnimationTask,
  deleteAnimationTask,
  generateDiaryImages,
  getDiaryTask,
  listDiaryImages,
  getDiaryImage,
  selectDiaryImage,
  generateHomeInsights,
  listInsights,
  getInsight,
  generateAiInsights,
  listDiaryScenes,
  generateHealthDetailInsight,
  getUsage,
  listRequests,
  getRequest,
  getClock,
  moveClock,
  listFaults,
  addFault,
  clearFaults,
  removeFault,
  getOpenApi,
  getPayloadSchema,
}

export type Routes = typeof routes
