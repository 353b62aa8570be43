import { points } from '../../rig/points.js'
import { num, oval, path, rect, stroke } from '../../rig/svg.js'
import type { Kit } from '../kit.js'
import { around, at, glow, shadow, star } from '../marks.js'
import { fir } from '../plants.js'
import { slots } from '../slots.js'

/**
 * The flag of the United States on a pole, higher next to a pet whose tail is up; on the right, its other side is seen.
 */
export function flag({ thing, pose, stage }: Kit): string {
  const [red, white, blue] = [thing(0.58, 0.19, 0.46), thing(0.98, 0.005, 1), thing(0.38, 0.12, 4.75)]
  const wave = (y: number) => `Q50 ${y - 26} 104 ${y}T208 ${y}`
  const cloth = `M0-300${wave(-300)}V-164Q158-138 104-164T0-164Z`
  const stripes = Array.from({ length: 7 }, (_, index) => {
    const y = -300 + index * 21
    return `M0 ${y}Q50 ${y - 26} 104 ${y}T208 ${y}V${y + 10.5}Q158 ${y + 36.5} 104 ${y + 10.5}T0 ${y + 10.5}Z`
  })
  const stars = [0, 1, 2, 3].flatMap((row) =>
    Array.from({ length: 4 }, (_, column) => star(14 + column * 21 + (row % 2) * 9, -296 - column * 4 + row * 17, 7)),
  )
  const pole = thing(0.6, 0.08, 1.15)
  const raised = pose === 'walking' || pose === 'running' ? 250 : 0
  const drawing = [
    stroke('M-5 0V-324', pole, 11),
    oval(-5, -330, 10, 10, thing(0.82, 0.14, 1.5)),
    path(cloth, white),
    path(stripes.join(''), red),
    path('M0-300Q50-326 98-302V-228Q50-252 0-226Z', blue),
    path(stars.join(''), '#fff'),
    path(cloth, '#1b1c2e', 'fill-opacity="0" stroke="#1b1c2e" stroke-opacity=".35" stroke-width="3"'),
  ]
  const raisedFlag = stroke(`M-5 0V${-raised - 20}`, pole, 11) + at(0, -raised, drawing.join(''))
  return shadow(34) + (stage.side === 1 ? raisedFlag : `<g transform="scale(-1 1)">${raisedFlag}</g>`)
}

export function fireworks({ bright }: Kit): string {
  const bursts: readonly (readonly [x: number, y: number, size: number, hue: number])[] = [
    [190, 200, 1.15, 0.45],
    [400, 130, 0.8, 1.55],
    [90, 410, 0.75, 4.2],
    [880, 400, 0.9, 5.4],
    [640, 90, 0.6, 2.6],
  ]
  return bursts
    .map(([x, y, size, hue], index) =>
      at(x, y, burst(bright(0.8, 0.16, hue), bright(0.93, 0.08, hue), `burst${index}`), size),
    )
    .join('')
}

function burst(color: string, pale: string, id: string): string {
  const rays = (inner: number, outer: number) =>
    around(14, (x, y) => `M${num(x * inner)} ${num(y * inner)}L${num(x * outer)} ${num(y * outer)}`)
  return [
    glow(id, 0, 0, 170, color, 0.5),
    stroke(rays(44, 118), color, 8),
    at(0, 0, stroke(rays(24, 78), pale, 6), 1, 180 / 14),
    stroke(rays(136, 138), pale, 11),
  ].join('')
}

export function pumpkin({ thing }: Kit): string {
  const [skin, dark, lit] = [thing(0.72, 0.17, 0.98), thing(0.63, 0.16, 0.92), thing(0.77, 0.165, 1.06)]
  const rib = (x: number, wide: number, high: number, color: string) => oval(x, -62, wide, high, color)
  const stem = thing(0.5, 0.09, 2)
  return [
    shadow(96),
    rib(-62, 36, 51, dark) + rib(62, 36, 51, dark),
    rib(-38, 38, 60, skin) + rib(38, 38, 60, skin),
    rib(0, 36, 65, lit),
    stroke('M-29-108Q-44-62-27-14M29-108Q44-62 27-14M-66-96Q-80-62-62-22M66-96Q80-62 62-22', thing(0.57, 0.15, 0.9), 4),
    oval(-46, -92, 9, 17, '#fff', 'fill-opacity=".35" transform="rotate(24 -46 -92)"'),
    oval(0, -120, 30, 8, dark),
    stroke('M12-140C34-168 60-150 50-132S76-112 84-132', thing(0.6, 0.12, 2.3), 5),
    path('M-22-116Q-12-126-12-142Q-14-158-32-166L-20-180Q10-166 12-140Q12-126 24-116Q0-110-22-116Z', stem),
    path('M8-136C-10-176-60-180-78-158C-56-146-40-120 8-136Z', thing(0.6, 0.12, 2.3)),
  ].join('')
}

/** A laid table with a roast turkey and a pie, on the left, far enough away to be beside a sitting pet. */
export function turkeyPie({ thing }: Kit): string {
  const [roast, lit, dark] = [thing(0.58, 0.12, 0.95), thing(0.68, 0.13, 1.05), thing(0.46, 0.1, 0.85)]
  const drawing = [
    path('M-20 586H442L454 742Q414 754 375 744T295 744T215 744T135 744T55 744T-20 744Z', thing(0.95, 0.025, 1.4)),
    stroke('M60 620L54 730M170 640L168 730M290 616L296 730M380 640L390 730', thing(0.88, 0.035, 1.3), 6),
    rect(-20, 576, 468, 18, thing(0.98, 0.012, 1.4), 'rx="8"'),
    oval(140, 576, 140, 18, thing(0.88, 0.02, 4)),
    path(
      'M214 540C250 526 268 500 292 494C300 484 316 494 310 506C322 512 312 526 302 522C280 536 256 566 222 568Z',
      lit,
    ),
    path('M26 566C14 500 60 440 130 436C208 434 246 490 236 548Q226 574 200 576H60Q34 578 26 566Z', roast),
    path('M52 540C52 492 88 458 132 456C90 480 74 510 74 548Z', lit),
    path('M128 560C130 520 168 500 202 512C236 530 226 572 190 576H146Q130 574 128 560Z', dark, 'fill-opacity=".55"'),
    path('M140 556C146 528 176 514 200 526C226 542 214 570 188 570Q150 572 140 556Z', lit),
    path('M2 574q14-24 34-8q18-18 34 4ZM220 576q12-20 28-6q16-14 30 6Z', thing(0.62, 0.14, 2.3)),
    path('M318 580L302 550H434L418 580Z', thing(0.75, 0.02, 4.2)),
    path('M296 552Q300 518 368 518T440 552Z', thing(0.76, 0.12, 1.2)),
    stroke(
      'M330 544L346 526M368 546V524M406 544L390 526M300 552q10-10 20 0t20 0t20 0t20 0t20 0t20 0t20 0',
      thing(0.6, 0.12, 1),
      5,
    ),
  ]
  return at(-5, 160, drawing.join(''), 0.74)
}

/** A fir with lights, balls and a star, on the left. */
export function treeLights(kit: Kit): string {
  const { thing } = kit
  const balls = points('-34,-440 40,-380 -70,-300 92,-250 10,-290 -110,-160 140,-110 -20,-180 70,-140 -60,-90')
  const ballHues = [0.5, 1.5, 4.3, 5.3] as const
  const lights =
    'M-56-470h.1M20-456h.1M64-436h.1M-78-344h.1M-22-330h.1M40-330h.1M96-322h.1M-132-200h.1M-70-218h.1M30-232h.1M130-196h.1M-140-84h.1M-10-112h.1M20-70h.1M116-60h.1M160-78h.1'
  const drawing = [
    path('M-46 0H46L36 50H-36Z', thing(0.6, 0.15, 0.5)),
    fir(kit, 0, 8, 2, 0, thing),
    stroke('M-72-420Q0-380 74-420M-118-262Q0-206 118-262M-172-100Q0-40 172-100', thing(0.84, 0.13, 1.5), 9),
    stroke(lights, '#ffe9a0', 30, 'stroke-opacity=".4"'),
    stroke(lights, '#fff6cf', 13),
    ...balls.map(({ x, y }, index) => {
      const shine = oval(x - 6, y - 7, 5, 4, '#fff', 'fill-opacity=".8"')
      return oval(x, y, 19, 19, thing(0.64, 0.17, ballHues[index % 4] ?? 0)) + shine
    }),
    path(star(0, -598, 54), '#ffd75a'),
  ]
  return glow('treelight', 196, 430, 330, '#ffe4a0', 0.5) + at(196, 700, drawing.join(''))
}

/** On the wall or in the air on the right, above a lamp. */
export function wreath({ thing }: Kit): string {
  const red = thing(0.6, 0.19, 0.48)
  const ring = (count: number, radius: number, size: number, color: string) =>
    around(count, (x, y) => oval(x * radius, y * radius, size, size, color))
  const drawing = [
    ring(14, 66, 28, thing(0.48, 0.1, 2.6)),
    ring(14, 62, 17, thing(0.58, 0.11, 2.5)),
    ring(6, 64, 9, red),
    path('M0 64C-30 34-66 40-60 66C-62 92-26 92 0 70C26 92 62 92 60 66C66 40 30 34 0 64Z', red),
    path('M-6 72L-34 124L-12 118L0 84L12 118L34 124L6 72Z', thing(0.53, 0.18, 0.48)),
    oval(0, 68, 12, 11, thing(0.5, 0.17, 0.48)),
  ]
  return at(0, -84, drawing.join(''))
}

export function gift({ thing }: Kit): string {
  const [paper, ribbon] = [thing(0.64, 0.17, 0.42), thing(0.88, 0.13, 1.55)]
  return [
    shadow(86),
    rect(-78, -110, 156, 110, paper, 'rx="6"'),
    rect(30, -110, 48, 110, thing(0.55, 0.16, 0.42), 'rx="6"'),
    rect(-88, -138, 176, 36, thing(0.7, 0.16, 0.42), 'rx="7"'),
    rect(-15, -138, 30, 138, ribbon),
    path(
      'M0-138C-20-190-76-196-72-164C-70-144-30-138 0-138ZM0-138C20-190 76-196 72-164C70-144 30-138 0-138Z',
      ribbon,
      `stroke="${thing(0.76, 0.14, 1.4)}" stroke-width="4"`,
    ),
    oval(0, -142, 15, 13, thing(0.8, 0.14, 1.45)),
  ].join('')
}

/** On a stand, with one unlit candle. */
export function cake({ thing }: Kit): string {
  const cream = thing(0.97, 0.02, 1.3)
  const drawing = [
    shadow(90),
    path('M-50 2Q-40-12-14-16V-44H14V-16Q40-12 50 2Z', thing(0.85, 0.03, 4.1)),
    oval(0, -46, 108, 17, thing(0.92, 0.02, 4.1)),
    path('M-84-130H84V-56Q0-28-84-56Z', thing(0.72, 0.09, 1)),
    path('M-84-92Q0-66 84-92V-78Q0-52-84-78Z', cream),
    path(
      'M-88-132Q0-166 88-132V-106q-16 24-30 2q-14 26-29 2q-14 30-29 2q-14 28-29 0q-14 24-29 0q-15 22-30-4Z',
      thing(0.82, 0.1, 0.25),
    ),
    oval(0, -132, 88, 19, thing(0.88, 0.08, 0.25)),
    ...[-56, -28, 28, 56].map((x) => oval(x, -136, 13, 10, cream)),
    rect(-8, -206, 16, 72, thing(0.8, 0.09, 4.1), 'rx="4"'),
    stroke('M-8-190l16-10M-8-170l16-10M-8-150l16-10', '#fff', 5),
    stroke('M0-206V-220', '#444', 4),
  ]
  return at(0, 0, drawing.join(''), 1.25)
}

export function balloons({ pose, thing, accent }: Kit): string {
  const { air, right } = slots[pose]
  // Behind what is next to the pet.
  const ground = (right.y - 50 - air.y) / air.scale
  const one = (x: number, y: number, color: string) =>
    at(
      x,
      y,
      path('M0 70C-50 50-64-4-56-30C-44-74 44-74 56-30C64-4 50 50 0 70ZM-9 82L0 68L9 82Z', color) +
        oval(-24, -28, 10, 17, '#fff', 'fill-opacity=".6" transform="rotate(20 -24 -28)"'),
    )
  return [
    stroke(
      `M-62 0Q-30 100 0 170M62-20Q40 90 0 170M0-80Q-8 60 0 170Q10 ${ground / 2} 0 ${ground - 30}`,
      thing(0.5, 0.02, 4),
      4,
    ),
    at(
      0,
      ground,
      shadow(34, 2) + path('M-30 0L-22-40H22L30 0Q0 8-30 0Z', thing(0.66, 0.18, 0.5)) + oval(0, -40, 22, 6, accent),
    ),
    one(-62, -66, thing(0.85, 0.15, 1.55)),
    one(64, -84, thing(0.66, 0.18, 0.5)),
    one(0, -146, accent),
  ].join('')
}

/** A winner's ribbon on the pet's chest. */
export function rosette({ thing }: Kit): string {
  const [blue, dark] = [thing(0.58, 0.17, 4.6), thing(0.46, 0.15, 4.65)]
  return [
    path('M-30 30L-44 140L-18 122L2 144L4 36ZM30 30L44 140L18 122L-2 144L-4 36Z', dark),
    around(12, (x, y, index) => oval(x * 46, y * 46, 17, 17, index % 2 ? blue : dark)),
    oval(0, 0, 46, 46, blue),
    oval(0, 0, 33, 33, thing(0.88, 0.13, 1.55)),
    path(star(0, 0, 24), '#fff'),
  ].join('')
}

/** Pennants in red, black and green between two trees. */
export function garland({ thing }: Kit): string {
  const colors = [thing(0.58, 0.2, 0.48), thing(0.28, 0.01, 1), thing(0.58, 0.15, 2.6)]
  const line = (t: number) => ({ x: -30 + t * 1090, y: 96 + Math.sin(t * Math.PI * 2 - 0.4) ** 2 * 92 })
  const pennants = Array.from({ length: 15 }, (_, index) => {
    const { x, y } = line((index + 0.5) / 15)
    return path(`M${Math.round(x - 30)} ${Math.round(y - 4)}h60l-30 76Z`, colors[index % 3] ?? '')
  })
  const cord = Array.from({ length: 31 }, (_, index) => line(index / 30)).map(
    ({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${Math.round(x)} ${Math.round(y)}`,
  )
  return stroke(cord.join(''), thing(0.5, 0.03, 1), 6) + pennants.join('')
}
