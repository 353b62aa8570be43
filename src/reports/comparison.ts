import { escapeHtml } from '../text/html.js'

/** A picture of a model on the page. */
export interface ComparisonPicture {
  readonly model: string
  readonly pose: string
  readonly prompt: string
  readonly seconds: number
  /** An amount with its currency, or `free`. */
  readonly cost: string
  readonly shown: { readonly bytes: Uint8Array; readonly contentType: string } | undefined
  readonly problem: string | undefined
}

export interface ComparisonModel {
  readonly name: string
  /** The price of a picture, or `no price`. */
  readonly price: string
  readonly cost: string
}

export interface ModelComparison {
  readonly photo: Uint8Array
  readonly models: readonly ComparisonModel[]
  readonly pictures: readonly ComparisonPicture[]
  readonly total: string
  readonly madeAt: Date
}

/** Renders a self-contained page with the pictures of each pose side by side, for light and dark screens of any width. */
export function renderComparison({ photo, models, pictures, total, madeAt }: ModelComparison): string {
  const poses = [...new Set(pictures.map(({ pose }) => pose))]
  const sections = poses.map((pose) =>
    renderPose(
      pose,
      pictures.filter((picture) => picture.pose === pose),
    ),
  )
  const made = pictures.filter(({ shown }) => shown !== undefined).length
  const time = `${madeAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<title>Models compared</title>
<style>${style}</style>
</head>
<body>
<header>
<img class="photo" src="${toDataUrl(photo)}" alt="The photo that all pictures were made from">
<div>
<h1>Models compared</h1>
<p>${made} of ${pictures.length} pictures from one photo, ${escapeHtml(total)} in all. <time datetime="${madeAt.toISOString()}">${time}</time></p>
</div>
</header>
<main>
${renderSummary(models, pictures)}
${sections.join('\n')}
</main>
</body>
</html>
`
}

function renderSummary(models: readonly ComparisonModel[], pictures: readonly ComparisonPicture[]): string {
  const rows = models.map(({ name, price, cost }) => {
    const own = pictures.filter(({ model }) => model === name)
    const made = own.filter(({ shown }) => shown !== undefined)
    const mean = made.reduce((sum, { seconds }) => sum + seconds, 0) / made.length
    const time = made.length === 0 ? '–' : toSeconds(mean)
    const cells = [`${made.length} of ${own.length}`, time, price, cost].map((text) => `<td>${escapeHtml(text)}</td>`)
    return `<tr><th scope="row">${breakable(name)}</th>${cells.join('')}</tr>`
  })
  const heads = ['Model', 'Pictures', 'Mean time', 'Price each', 'Cost'].map((text) => `<th scope="col">${text}</th>`)
  return `<div class="scroll" tabindex="0" role="region" aria-label="Summary"><table><thead><tr>${heads.join('')}</tr></thead><tbody>
${rows.join('\n')}
</tbody></table></div>`
}

function renderPose(pose: string, pictures: readonly ComparisonPicture[]): string {
  const cards = pictures.map(renderPicture)
  const prompts = [...new Set(pictures.map(({ prompt }) => prompt))].map((prompt) => {
    const users = pictures.filter((picture) => picture.prompt === prompt).map(({ model }) => model)
    const of = users.length === pictures.length ? 'all models' : users.join(', ')
    return `<details><summary>Words for ${breakable(of)}</summary><p class="prompt">${escapeHtml(prompt)}</p></details>`
  })
  return `<section>
<h2>${escapeHtml(pose)}</h2>
<ul class="cards">
${cards.join('\n')}
</ul>
${prompts.join('\n')}
</section>`
}

function renderPicture({ model, pose, seconds, cost, shown, problem }: ComparisonPicture): string {
  const picture =
    shown === undefined
      ? `<p class="problem">${escapeHtml(problem ?? 'The picture cannot be shown.')}</p>`
      : `<img src="${toDataUrl(shown.bytes, shown.contentType)}" alt="${escapeHtml(`${pose}, made by ${model}`)}">`
  return `<li>${picture}<p class="name">${breakable(model)}</p><p class="facts">${toSeconds(seconds)} · ${escapeHtml(cost)}</p></li>`
}

const toSeconds = (seconds: number) => `${seconds.toFixed(1)} s`
const toDataUrl = (bytes: Uint8Array, type = 'image/jpeg') =>
  `data:${type};base64,${Buffer.from(bytes).toString('base64')}`
/** Lets a long name break after its separators. */
const breakable = (name: string) => escapeHtml(name).replaceAll(/[/:]/g, '$&<wbr>')

const style = `
:root{--ground:#faf8f4;--card:#fff;--ink:#25211b;--soft:#6b6457;--line:#e2dccf;--bad:#a3301c}
@media (prefers-color-scheme:dark){:root{--ground:#1a1815;--card:#25221e;--ink:#eee9df;--soft:#b0a898;--line:#3c3730;--bad:#ff9c86}}
*{box-sizing:border-box}
body{margin:0 auto;padding:1.5rem clamp(1rem,4vw,3rem) 3rem;max-width:96rem;background:var(--ground);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
header{display:flex;gap:1.25rem;align-items:center;margin-bottom:1.5rem}
h1{margin:0;font-size:1.6rem;line-height:1.2}
h2{margin:2.25rem 0 .75rem;font-size:1.2rem}
h2::first-letter{text-transform:uppercase}
p{margin:.25rem 0}
header p,.facts,th[scope=col]{color:var(--soft)}
time{white-space:nowrap}
.photo{width:7rem;height:7rem;object-fit:cover;border-radius:.75rem;flex:none}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{padding:.5rem .75rem;border-bottom:1px solid var(--line);text-align:right;white-space:nowrap}
th:first-child{text-align:left;padding-left:0;white-space:normal;min-width:9rem}
th[scope=col]{font-weight:500;font-size:.875rem}
th[scope=row]{font-weight:600}
.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,17rem),1fr));gap:1rem;margin:0 0 .75rem;padding:0;list-style:none}
.cards li{background:var(--card);border:1px solid var(--line);border-radius:.75rem;overflow:hidden;padding-bottom:.75rem}
.cards img{display:block;width:100%;aspect-ratio:1;object-fit:contain;background:var(--line)}
.cards p{margin:.1rem .9rem;overflow-wrap:anywhere}
.cards .name{margin-top:.7rem;font-weight:600}
.facts{font-size:.9rem;font-variant-numeric:tabular-nums}
.cards .problem{display:grid;place-content:center;margin:0;padding:1rem;aspect-ratio:1;color:var(--bad);background:var(--line);font-size:.9rem}
summary{cursor:pointer;padding:.3rem 0;color:var(--soft)}
.prompt{max-width:70ch;white-space:pre-line;padding-left:1rem;border-left:3px solid var(--line)}
@media (max-width:36rem){
table{font-size:.8rem}
th,td{padding:.4rem .35rem}
th[scope=col]{font-size:.75rem;white-space:normal;vertical-align:bottom}
th:first-child{min-width:6.5rem;overflow-wrap:anywhere}
.photo{width:5rem;height:5rem}
.cards{grid-template-columns:1fr 1fr;gap:.6rem}
.cards p{margin-inline:.6rem}
.cards .problem{aspect-ratio:auto;min-height:10rem;font-size:.8rem;padding:.6rem}
.cards .name,.facts{font-size:.85rem}
}
@media print{body{max-width:none}details{display:none}}
`
