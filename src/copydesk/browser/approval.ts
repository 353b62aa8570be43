import type { Locale } from '../../insight/types.js'
import type { Signable, SignableItem } from '../serve/approval.js'
import { served } from './data.js'
import { createChanges } from './editor.js'
import { listReviewed } from './languages.js'
import { ask, flush } from './outbox.js'
import { createElement, getElement } from './page.js'
import { reload } from './reload.js'

const languageNames: Readonly<Record<string, string>> = { 'zh-CN': 'Chinese', 'en-US': 'English', es: 'Spanish' }
const stateNames: Readonly<Record<string, string>> = {
  changed: 'changed',
  stale: 'the English changed',
  unsigned: 'new',
}

/** Lets a reviewer approve, in a dialog that shows every change in whole sentences. */
export function startApproval(): void {
  if (served === undefined) return
  const dialog = getElement('approval', HTMLDialogElement)
  const list = getElement('signable', HTMLElement)
  const refused = getElement('refused', HTMLElement)
  const form = dialog.querySelector('form')
  const find = (name: string) => form?.elements.namedItem(name) as HTMLInputElement
  const boxes = [...dialog.querySelectorAll<HTMLInputElement>('[name=locale]')]
  const submit = dialog.querySelector<HTMLButtonElement>('[value=sign]')
  let signable: Signable | undefined

  const choose = () => {
    const chosen = boxes.filter(({ checked }) => checked).map(({ value }) => value)
    return chosen.length === boxes.length ? {} : { locales: chosen }
  }
  const show = async () => {
    signable = undefined
    refused.textContent = ''
    if (submit !== null) submit.disabled = true
    list.replaceChildren(createElement('p', '', 'Reading the catalog…'))
    try {
      await flush()
      const wanted = choose()
      const answer = await ask<Signable>('signable', wanted)
      if (JSON.stringify(wanted) !== JSON.stringify(choose())) return
      signable = answer
      list.replaceChildren(...listContent(answer))
      const label = find('label')
      label.value = answer.label ?? ''
      label.required = answer.label !== undefined
      if (label.parentElement !== null) label.parentElement.hidden = answer.label === undefined
      if (submit !== null) submit.disabled = answer.isNothing || answer.obstacles.length > 0
    } catch (error) {
      list.replaceChildren()
      refused.textContent = (error as Error).message
    }
  }
  const sign = async () => {
    if (signable === undefined) return
    const by = find('by').value
    const label = signable.label === undefined ? {} : { label: find('label').value }
    try {
      const { ruleVersion } = await ask<{ readonly ruleVersion: string }>('sign', {
        ...{ ...choose(), ...label, by, shown: signable.shown },
      })
      reload(`Approved as ${by.trim()} (${ruleVersion}).`)
    } catch (error) {
      refused.textContent = (error as Error).message
    }
  }

  document.querySelector('[data-action=approve]')?.addEventListener('click', () => {
    for (const box of boxes) box.checked = listReviewed().includes(box.value as Locale)
    find('by').value = getElement('by', HTMLInputElement).value
    dialog.showModal()
    void show()
  })
  for (const box of boxes) box.addEventListener('change', () => void show())
  dialog.querySelector('[data-action=close]')?.addEventListener('click', () => dialog.close())
  form?.addEventListener('submit', (event) => {
    event.preventDefault()
    void sign()
  })
}

function listContent({ isNothing, items, obstacles, others }: Signable): HTMLElement[] {
  if (isNothing) return [createElement('p', '', 'Nothing to approve: every text is signed as it is.')]
  return [
    ...obstacles.map(({ fix, message }) => createElement('p', 'finding', `${message} ${fix}`)),
    // Texts that were edited come first: they explain why others are stale.
    ...items.toSorted((a, b) => Number(a.state === 'stale') - Number(b.state === 'stale')).map(createItem),
    ...others.map((other) => createElement('p', '', other)),
  ]
}

function createItem({ id, locale, more, sentences, source, state }: SignableItem): HTMLElement {
  const item = createElement('section', 'item')
  const title = createElement('h3', '', `${languageNames[locale]}: ${stateNames[state] ?? state} `)
  title.append(createElement('code', '', id))
  item.append(title, ...sentences.map((changes) => createChanges(changes, locale as Locale)))
  if (sentences.length === 0) item.append(createElement('p', '', 'No example says anything different.'))
  if (more > 0) item.append(createElement('p', 'more', `and ${more} more like these`))
  if (source !== undefined)
    item.append(createElement('p', 'more', 'The English is now:'), createChanges(source, 'en-US'))
  return item
}
