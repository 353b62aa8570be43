import { oval, path, rect, stroke } from '../../rig/svg.js'
import { hues, type Kit } from '../kit.js'
import { at, shadow } from '../marks.js'

export function rug(kit: Kit): string {
  // As for the wall of the room: in lamplight a blue one would look grey.
  const wool = (l: number, c: number) =>
    kit.setting.time === 'evening' ? kit.tone(l, c, hues.rose, 0) : kit.tone(l, c, hues.sky, 0.9)
  const stitches = `stroke="${kit.accent}" stroke-width="9" stroke-opacity=".55" stroke-dasharray="26 20"`
  return [
    shadow(478, 836, 498, 112),
    oval(498, 826, 478, 108, wool(0.9, 0.045)),
    oval(498, 826, 446, 96, 'none', stitches),
    oval(498, 826, 408, 84, wool(0.85, 0.06)),
    oval(498, 826, 348, 68, wool(0.89, 0.045)),
  ].join('')
}

/** Checked, with soft corners. */
export function blanket({ thing, accent }: Kit): string {
  const outline = 'M96 772Q500 746 930 770Q986 830 1000 902Q500 934 18 906Q40 826 96 772Z'
  const check = (d: string) => path(d, accent, 'fill-opacity=".38"')
  return [
    at(0, 12, path(outline, '#1b1c2e', 'fill-opacity=".12"')),
    path(outline, thing(0.93, 0.03, 1.3)),
    check('M240 762L330 760L290 918L180 914ZM480 757H570L576 924H472ZM720 759L806 763L868 914L758 920Z'),
    check(
      'M76 796Q500 772 950 794Q962 808 970 822Q500 800 56 826ZM40 858Q500 836 988 856Q994 872 998 888Q500 872 26 890Z',
    ),
  ].join('')
}

/** A padded table on a pillar. */
export function table({ tone, thing, accent }: Kit): string {
  return [
    path('M420 880H604L640 1024H384Z', tone(0.7, 0.015, hues.sky)),
    shadow(300, 1012, 512, 30),
    rect(40, 866, 944, 34, tone(0.78, 0.015, hues.sky), 'rx="14"'),
    rect(40, 886, 944, 14, tone(0.66, 0.015, hues.sky), 'rx="7"'),
    path(
      'M100 770H924Q960 770 974 812L990 850Q994 874 960 874H64Q30 874 36 850L50 812Q64 770 100 770Z',
      tone(0.74, 0.09, 3.2, 0),
    ),
    path('M100 770H924Q950 770 962 796H62Q74 770 100 770Z', tone(0.8, 0.085, 3.2, 0)),
    path('M230 776H800L824 862H206Z', thing(0.97, 0.01, 1.5)),
    stroke('M220 812H810M212 838H818', accent, 6, 'stroke-opacity=".5"'),
  ].join('')
}
