import { execFileSync } from 'node:child_process'
import sharp from 'sharp'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createClipLooper } from '../../../src/adapters/clips/clip-looper.js'
import { findCrop } from '../../../src/adapters/clips/ffmpeg.js'
import { findFfmpeg } from '../../../src/adapters/clips/find-ffmpeg.js'
import { hasSound } from '../../../src/adapters/clips/video.js'
import { isUnloopedClip } from '../../../src/ports/clip-loops.js'
import { reportSkip } from '../../helpers/skip.js'
import { openTemporaryFolder } from '../../helpers/temporary.js'

const changes = suite('changes of clips')
const place = openTemporaryFolder()
changes.after(() => place.close())
const ffmpeg = findFfmpeg(undefined, process.env.PATH)

/** A wide clip with a red part on the left, a green one on the right, and a moving gray middle. */
function makeClip(sound: readonly string[]): Buffer {
  const file = `${place.folder}/clip${sound.length}.mp4`
  const picture = 'testsrc=size=160x180:rate=12:duration=1,hue=s=0,pad=320:180:80:0:red,drawbox=240:0:80:180:green:fill'
  const audio = sound.length === 0 ? [] : ['-f', 'lavfi', '-i', 'sine=duration=1']
  const flags = ['-v', 'error', '-y', '-f', 'lavfi', '-i', picture, ...audio, '-pix_fmt', 'yuv420p', file]
  execFileSync(ffmpeg ?? '', flags)
  return execFileSync('cat', [file])
}

async function loop(mp4: Uint8Array, aspect?: number, { isDecoded = true } = {}) {
  const looper = createClipLooper({ ffmpeg: isDecoded ? ffmpeg : undefined })
  const still = aspect === undefined ? undefined : { aspect }
  try {
    return await looper.toLoop(mp4, new AbortController().signal, still)
  } finally {
    await looper.close()
  }
}

function probe(mp4: Uint8Array): Record<string, string>[] {
  const entries = 'stream=codec_type,width,height,nb_read_frames'
  const flags = ['-v', 'error', '-count_frames', '-show_entries', entries, '-of', 'json', place.write('probe.mp4', mp4)]
  return JSON.parse(String(execFileSync('ffprobe', flags))).streams
}

for (const [width, height, aspect, expected] of [
  [1280, 720, 1, { width: 720, height: 720, left: 280, top: 0 }],
  [720, 1280, 1, { width: 720, height: 720, left: 0, top: 280 }],
  [1280, 720, 16 / 9, undefined],
  [1248, 704, 16 / 9, undefined],
  [721, 481, 0.5, { width: 240, height: 480, left: 240, top: 0 }],
  [640, 480, undefined, undefined],
] as const) {
  changes(`crops ${width} x ${height} to ${aspect}`, () => assert.equal(findCrop(width, height, aspect), expected))
}

changes('crops a clip to its still, removes its sound, and loops it', async () => {
  if (ffmpeg === undefined) return reportSkip('ffmpeg is not installed')
  const clip = makeClip(['sine'])
  assert.ok(hasSound(clip))
  const { webp, mp4, changes: made } = await loop(clip, 160 / 180)
  assert.equal(made, ['cropped', 'muted'])
  const streams = probe(mp4 ?? clip)
  assert.equal(streams, [{ codec_type: 'video', width: 160, height: 180, nb_read_frames: '12' }])
  const { width = 0, height = 0 } = await sharp(webp).metadata()
  assert.ok(Math.abs(width / height - 160 / 180) < 0.01, `${width} x ${height}`)
  // Without the colored sides.
  const { channels } = await sharp(webp, { page: 0 }).stats()
  const [red = 0, green = 0] = channels.map(({ mean }) => mean)
  assert.ok(Math.abs(red - green) < 12, `${red} ${green}`)
})

changes('removes sound without encoding the pictures again', async () => {
  if (ffmpeg === undefined) return reportSkip('ffmpeg is not installed')
  const clip = makeClip(['sine'])
  const { mp4, changes: made } = await loop(clip)
  assert.equal(made, ['muted'])
  assert.equal(probe(mp4 ?? clip), [{ codec_type: 'video', width: 320, height: 180, nb_read_frames: '12' }])
  const failure = await loop(clip, 1, { isDecoded: false }).catch((error: unknown) => error)
  assert.ok(isUnloopedClip(failure), String(failure))
  assert.not(hasSound(isUnloopedClip(failure) ? failure.mp4 : clip))
})

changes('leaves a silent clip of the right shape as it is', async () => {
  if (ffmpeg === undefined) return reportSkip('ffmpeg is not installed')
  const { mp4, changes: made } = await loop(makeClip([]), 16 / 9)
  assert.equal([mp4, made], [undefined, []])
})

changes.run()
