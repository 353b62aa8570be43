import { type FaultField, type FaultFieldName, faultFieldNames, faultFields } from '../contract/faults.js'
import { escapeHtml } from '../text/html.js'

const titles: Readonly<Record<FaultField['part'], string>> = {
  match: 'Which calls, or poses and scenes. All matches given must fit',
  call: 'The effect on calls',
  unit: 'The effect on poses and scenes',
  bound: 'How often',
}

/** Renders the fields of a fault rule for the demo page, as they are written in the compact form. */
export function renderFaultFields(): string {
  return Object.entries(titles)
    .map(([part, title]) => {
      const names = faultFieldNames.filter((name) => faultFields[name].part === part)
      return `<p>${title}:</p><dl>${names.map(renderField).join('')}</dl>`
    })
    .join('')
}

function renderField(name: FaultFieldName): string {
  const { value, summary }: FaultField = faultFields[name]
  const written = value === undefined ? name : `${name}=${value.toUpperCase()}`
  return `<dt><code>${escapeHtml(written)}</code></dt><dd>${escapeHtml(summary)}</dd>`
}
