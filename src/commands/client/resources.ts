import type { AnimationTask } from '../../contract/animation.js'
import type { AvatarTask } from '../../contract/avatar.js'
import type { DiaryLibraryTask, DiaryTask } from '../../contract/diary.js'
import type { Paint, TextStyle } from '../../runtime/style.js'
import { toPrintable } from '../../text/words.js'

/** The members of a pose or scene that commands read, the same for every kind of task. */
interface ShownUnit {
  readonly status: string
  readonly generated_url?: string | null
  readonly webp_url?: string | null
  readonly mp4_url?: string | null
  readonly error_message: string | null
}

export type TaskRecord = AvatarTask | AnimationTask | DiaryTask | DiaryLibraryTask

/** Lists the poses or scenes of a task, in the order of the response. */
export function listUnits(task: TaskRecord): [name: string, result: ShownUnit][] {
  if ('images' in task) return Object.entries(task.images)
  const pictures = 'items' in task ? task.items : [task]
  return pictures.map(({ scene_id, status, image_url, error_message }) => [
    scene_id,
    { status, generated_url: image_url, error_message },
  ])
}

const marks: Readonly<Record<string, string>> = { success: '✓', failed: '✗', processing: '…' }

const tones: Readonly<Record<string, TextStyle>> = {
  '✓': 'green',
  '✗': 'red',
  success: 'green',
  partial_success: 'yellow',
  failed: 'red',
}

/** Colors the mark of a pose or scene, and the status of a task. */
export function paintMarks(line: string, paint: Paint): string {
  return line.replace(/(?<=^ {2})[✓✗]|(?<=^\w+ )\w+$/u, (word) => {
    const tone = tones[word]
    return tone === undefined ? word : paint(tone, word)
  })
}

/** Renders a pose or scene as one line. */
export function describeUnit(name: string, { status, error_message }: ShownUnit): string {
  const reason = error_message === null ? '' : `: ${error_message}`
  return toPrintable(`  ${marks[status] ?? ' '} ${name} ${status}${reason}`)
}
