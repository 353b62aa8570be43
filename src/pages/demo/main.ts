import { startTheme } from '../shared/theme.js'
import { Avatars } from './avatar.js'
import { Diary } from './diary.js'
import { startHealth } from './health.js'
import { startHome } from './home.js'
import { listTasks, takeFragment } from './key.js'
import { startKeyForm } from './key-form.js'
import { startMotion } from './motion.js'
import { Pets } from './pets.js'
import { startPhoto } from './photo.js'
import { RequestList } from './requests.js'
import { startStage } from './stage.js'
import { Step } from './step.js'

/** First of all: what the address hands on must not stay in it. */
takeFragment()

startTheme()
const pets = new Pets()
const avatars = new Avatars(new Step('#photo'), pets)
const requests = new RequestList()
const key = startKeyForm(() => {
  for (const task of listTasks()) void avatars.adopt(task)
  void diary.load()
  void requests.watch()
})
const diary = new Diary(pets, key)
startStage(pets)
startPhoto(pets, avatars, key)
startMotion(pets)
startHome(pets, key)
startHealth(key)

// The address of another `svc demo`, opened in this tab.
addEventListener('hashchange', () => {
  if (location.hash.includes('key=')) location.reload()
})
