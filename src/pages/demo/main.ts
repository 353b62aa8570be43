import { startTheme } from '../shared/theme.js'
import { Avatars } from './avatar.js'
import { Diary } from './diary.js'
import { startHealth } from './health.js'
import { startHome } from './home.js'
import { type KeptTask, listTasks, takeFragment } from './key.js'
import { KeyForm } from './key-form.js'
import { Motion } from './motion.js'
import { Pets } from './pets.js'
import { startPhoto } from './photo.js'
import { RequestList } from './requests.js'
import { startStage } from './stage.js'
import { Step } from './step.js'

/** Runs first, so that the key does not stay in the address. */
const isKeyTaken = takeFragment()

startTheme()
const pets = new Pets()
const avatars = new Avatars(new Step('#photo'), pets)
const requests = new RequestList()
const key = new KeyForm({
  onKey: () => {
    for (const task of listTasks()) void restore(task)
    void diary.load()
    void requests.watch()
  },
  onForget: () => requests.clear(),
})
const diary = new Diary(pets, key)
const motion = new Motion(pets)
startStage(pets)
startPhoto(pets, avatars, key)
startHome(pets, key)
startHealth(pets, key)
key.start(isKeyTaken)

/** Restores the results of a pet from before this page was loaded. */
async function restore(task: KeptTask): Promise<void> {
  const pet = await avatars.adopt(task)
  if (pet !== undefined) await Promise.all([motion.restore(pet), diary.restore(pet)])
}

// The address of another `svc demo`, opened in this tab.
addEventListener('hashchange', () => {
  if (location.hash.includes('key=')) location.reload()
})
