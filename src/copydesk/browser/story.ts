import { metricNames } from '../page/words.js'
import type { ToldStory } from '../story.js'
import { ask } from './outbox.js'
import { createElement, getElement, served, translateDates } from './page.js'

/** Tells the story of one pet when the reader asks for it: the page opens without it. */
export function startStory(): void {
  if (served === undefined) return
  const form = getElement('story-form', HTMLFormElement)
  const told = getElement('story-told', HTMLElement)
  const list = getElement('story-texts', HTMLElement)
  const tell = async () => {
    told.textContent = 'Telling the story…'
    list.replaceChildren()
    try {
      const wish = Object.fromEntries(new FormData(form))
      const { summary, texts } = await ask<ToldStory>('story', wish)
      told.textContent = summary
      let day = ''
      for (const { date, insights, mark, metric, window } of texts) {
        const name = metricNames[metric]
        if (date !== day) list.append(createDate(date))
        day = date
        const item = createElement('article')
        item.append(createElement('h3', '', window === 'day' ? name : `${name}, ${window}`))
        for (const { locale, summary: said } of insights) {
          const words = createElement('p', '', said)
          words.lang = locale
          item.append(words)
        }
        if (mark !== '') item.append(createElement('p', 'more', mark))
        list.append(item)
      }
      translateDates(list)
    } catch (error) {
      told.textContent = (error as Error).message
    }
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void tell()
  })
}

function createDate(date: string): HTMLElement {
  const heading = createElement('h2')
  heading.dataset.date = date
  return heading
}
