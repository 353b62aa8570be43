import { createHash } from 'node:crypto'
import sharp from 'sharp'

export type Pose = 'lying' | 'sitting' | 'walking' | 'running'
export interface Look {
  readonly species: 'dog' | 'cat'
  readonly coat: string
  readonly hash: number
}
export const stillPhase: Readonly<Record<Pose, number>> = { lying: 0.12, sitting: 0.12, walking: 0.12, running: 0.385 }

export async function readLook(photo: Uint8Array, species: 'dog' | 'cat'): Promise<Look> {
  const { dominant } = await sharp(photo).resize(64, 64).stats()
  return {
    species,
    coat: `rgb(${dominant.r},${dominant.g},${dominant.b})`,
    hash: createHash('sha256').update(photo).digest()[0] ?? 0,
  }
}

export function drawPose(look: Look, pose: Pose, phase: number, size = 1024): string {
  const speed = { lying: 20, sitting: 40, walking: 120, running: 240 }[pose]
  const x = 512 + speed * Math.cos(phase * 2 * Math.PI)
  const shape =
    look.species === 'dog' ? `<circle cx="${x}" cy="600" r="160"` : `<ellipse cx="${x}" cy="600" rx="200" ry="120"`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 1024 1024"><rect width="1024" height="1024" fill="#6a9a4e"/>${shape} fill="${look.coat}"/></svg>`
}
