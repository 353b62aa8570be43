import { localeNames } from '../page/words.js'
import type { Signable, SignableItem } from '../serve/approval.js'
import type { SignState } from '../signoff/signoff.js'
import { createChanges } from './editor.js'
import { listReviewed } from './languages.js'
import { setNote } from './notes.js'
import { ask, flush } from './outbox.js'
import { createElement, getElement, served } from './page.js'
import { reload } from './reload.js'

const sentencesShown = 3
const stateNames: Readonly<Record<SignState, string>> = {
  changed: 'changed',
  stale: 'the English changed',
  unsigned: 'new',
  signed: 'no native approval yet',
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
  const submit = getElement('sign', HTMLButtonElement)
  let signable: Signable | undefined

  const choose = () => ({
    locales: boxes.filter(({ checked }) => checked).map(({ value }) => value),
    isNative: find('isNative').checked,
  })
  const show = async () => {
    signable = undefined
    refused.textContent = ''
    submit.disabled = true
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
      showField(label, answer.label !== undefined)
      submit.disabled = answer.isNothing || answer.obstacles.length > 0
    } catch (error) {
      list.replaceChildren()
      refused.textContent = (error as Error).message
    }
  }
  /** Ticks the languages that the reader reviews; if texts of them were edited, not those that only have their translations. */
  const open = async () => {
    for (const box of boxes) box.checked = listReviewed().some((locale) => locale === box.value)
    await show()
    const edited = signable?.items.filter(({ state }) => state === 'changed').map(({ locale }) => `${locale}`) ?? []
    const others = boxes.filter(({ checked, value }) => checked && edited.length > 0 && !edited.includes(value))
    for (const box of others) box.checked = false
    if (others.length > 0) await show()
  }
  const sign = async () => {
    if (signable === undefined) return
    const { label: proposed, shown } = signable
    const label = proposed === undefined ? {} : { label: find('label').value }
    try {
      const by = find('by').value.trim()
      const { ruleVersion } = await ask<{ readonly ruleVersion: string }>('sign', { ...choose(), ...label, by, shown })
      setNote('name', by)
      await flush()
      reload(`Approved as ${by} (${ruleVersion}).`)
    } catch (error) {
      refused.textContent = (error as Error).message
    }
  }

  document.querySelector('[data-action=approve]')?.addEventListener('click', () => {
    // The name is asked once: here only if the page does not know it.
    const name = getElement('by', HTMLInputElement).value.trim()
    find('by').value = name
    showField(find('by'), name === '')
    submit.textContent = name === '' ? 'Approve' : `Approve as ${name}`
    dialog.showModal()
    void open()
  })
  for (const box of [...boxes, find('isNative')]) box.addEventListener('change', () => void show())
  dialog.querySelector('[data-action=close]')?.addEventListener('click', () => dialog.close())
  form?.addEventListener('submit', (event) => {
    event.preventDefault()
    void sign()
  })
}

function showField(field: HTMLInputElement, isShown: boolean): void {
  field.required = isShown
  if (field.parentElement !== null) field.parentElement.hidden = !isShown
}

function listContent({ isNothing, items, obstacles, others, unread }: Signable): HTMLElement[] {
  if (isNothing) return [createElement('p', '', 'Nothing to approve: every text is signed as it is.')]
  return [
    ...(unread === undefined ? [] : [createElement('p', 'finding warning', unread)]),
    ...obstacles.map(({ fix, message }) => createElement('p', 'finding', `${message} ${fix}`)),
    // Texts that were edited come first: they explain why others are stale.
    ...items.toSorted((a, b) => Number(a.state === 'stale') - Number(b.state === 'stale')).map(createItem),
    ...others.map((other) => createElement('p', '', other)),
  ]
}

function createItem({ id, locale, sentences, source, state }: SignableItem): HTMLElement {
  const item = createElement('section', 'item')
  const title = createElement('h3', '', `${localeNames[locale]}: ${stateNames[state]} `)
  title.append(createElement('code', '', id))
  const rows = sentences.map((changes) => createChanges(changes, locale))
  item.append(title, ...rows.slice(0, sentencesShown))
  if (sentences.length === 0) item.append(createElement('p', '', 'No example says anything different.'))
  const others = rows.slice(sentencesShown)
  if (others.length > 0) {
    const details = createElement('details')
    details.append(createElement('summary', '', `${others.length} more like these`), ...others)
    item.append(details)
  }
  if (source !== undefined)
    item.append(createElement('p', 'more', 'The English is now:'), createChanges(source, 'en-US'))
  return item
}
