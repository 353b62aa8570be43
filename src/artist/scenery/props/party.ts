import { oval, path, rect, stroke } from '../../rig/svg.js'
import type { Kit } from '../kit.js'
import { around, at, shadow, star } from '../marks.js'
import { slots } from '../slots.js'

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
