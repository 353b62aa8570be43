import { oval, path, stroke } from '../../rig/svg.js'
import type { Kit } from '../kit.js'

/** Held over the pet by somebody who is outside the picture, ahead of the pet. */
export function umbrella(kit: Kit): string {
  const { thing, stage } = kit
  const [one, other] = [thing(0.64, 0.19, 0.5), thing(0.85, 0.15, 1.55)]
  const wood = thing(0.45, 0.07, 1.1)
  const drawing = [
    stroke('M0-222V470Q0 512 34 512T68 478', wood, 14),
    path(
      'M-330 40C-310-110-160-190 0-190S310-110 330 40Q275-4 220 40Q165-4 110 40Q55-4 0 40Q-55-4-110 40Q-165-4-220 40Q-275-4-330 40Z',
      one,
    ),
    path(
      'M0-190C-80-150-108-60-110 40Q-55-4 0 40ZM0-190C130-160 216-60 220 40Q165-4 110 40C106-60 70-140 0-190ZM0-190C-170-170-240-60-220 40Q-275-4-330 40C-310-110-160-190 0-190Z',
      other,
    ),
    holder(kit),
  ]
  const { x } = stage.toPicture({ x: 800, y: 0 })
  return `<g transform="translate(${Math.round(x)} 216) scale(${stage.side} 1) rotate(-13) scale(.84)">${drawing.join('')}</g>`
}

/** A sleeve from the edge of the picture, and the hand around the handle. */
function holder({ thing }: Kit): string {
  const [cloth, dark] = [thing(0.5, 0.09, 4.5), thing(0.42, 0.09, 4.5)]
  const [skin, line] = [thing(0.72, 0.07, 1), thing(0.56, 0.07, 0.9)]
  return [
    path('M50 384Q240 400 420 540L372 640Q220 500 46 466Z', cloth),
    path('M46 466Q220 500 372 640L392 600Q230 470 48 436Z', dark),
    stroke('M54 388L50 462', dark, 12),
    oval(14, 424, 40, 31, skin),
    stroke('M-22 412q18-8 34 0M-26 426q20-8 38 0M-22 440q18-8 34 0', line, 4),
  ].join('')
}
