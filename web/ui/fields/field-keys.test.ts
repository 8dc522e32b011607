import { beforeEach, expect, it, vi } from 'vitest'
import { getShortcutKey, handlesArrowKeys, isTextField, isTyping } from './field-keys.ts'

class FakeElement extends EventTarget {
  type = ''
  role = ''
  isContentEditable = false
  closest(selector: string) {
    return [`[type=${this.type}]`, `[role=${this.role}]`].some((part) => selector.includes(part)) ? this : null
  }
}
class FakeInput extends FakeElement {}
class FakeTextArea extends FakeElement {}
class FakeSelect extends FakeElement {}

beforeEach(() => {
  vi.stubGlobal('Element', FakeElement)
  vi.stubGlobal('HTMLElement', FakeElement)
  vi.stubGlobal('HTMLInputElement', FakeInput)
  vi.stubGlobal('HTMLTextAreaElement', FakeTextArea)
  vi.stubGlobal('HTMLSelectElement', FakeSelect)
})

const input = (type: string) => Object.assign(new FakeInput(), { type })
const element = (properties: Partial<FakeElement> = {}) => Object.assign(new FakeElement(), properties)

it.each([
  ['a line of text', input('text')],
  ['a search', input('search')],
  ['a number', input('number')],
  ['a date', input('date')],
  ['an input of an unknown type', input('unknown')],
  ['a multi-line text', new FakeTextArea()],
  ['an editable element', element({ isContentEditable: true })],
])('%s handles letters, undo and arrow keys', (_, target) => {
  expect({
    isTextField: isTextField(target),
    isTyping: isTyping(target),
    handlesArrowKeys: handlesArrowKeys(target),
  }).toEqual({ isTextField: true, isTyping: true, handlesArrowKeys: true })
})

it('a select handles letters and arrow keys, but not undo', () => {
  const target = new FakeSelect()
  expect({
    isTextField: isTextField(target),
    isTyping: isTyping(target),
    handlesArrowKeys: handlesArrowKeys(target),
  }).toEqual({ isTextField: false, isTyping: true, handlesArrowKeys: true })
})

it.each([
  ['a radio', input('radio')],
  ['a range', input('range')],
  ['a slider', element({ role: 'slider' })],
  ['a menu', element({ role: 'menu' })],
])('%s handles arrow keys and leaves letters to the page', (_, target) => {
  expect({
    isTextField: isTextField(target),
    isTyping: isTyping(target),
    handlesArrowKeys: handlesArrowKeys(target),
  }).toEqual({ isTextField: false, isTyping: false, handlesArrowKeys: true })
})

it.each([
  ['a checkbox', input('checkbox')],
  ['an input that is a button', input('submit')],
  ['a button', element({ role: 'button' })],
  ['nothing', null],
])('%s leaves all keys to the page', (_, target) => {
  expect({
    isTextField: isTextField(target),
    isTyping: isTyping(target),
    handlesArrowKeys: handlesArrowKeys(target),
  }).toEqual({ isTextField: false, isTyping: false, handlesArrowKeys: false })
})

it.each([
  ['K', 'KeyK', 'k'],
  ['k', 'KeyV', 'k'],
  ['z', 'KeyY', 'z'],
  ['ö', 'Semicolon', 'ö'],
  ['/', 'Digit7', '/'],
  ['Escape', 'Escape', 'escape'],
  ['л', 'KeyK', 'k'],
  ['Я', 'KeyZ', 'z'],
  ['х', 'BracketLeft', '['],
  ['κ', 'KeyK', 'k'],
  ['้', 'KeyH', 'h'],
  ['ж', 'Semicolon', 'ж'],
])('the shortcut key of %s on %s is %s', (key, code, shortcutKey) => {
  expect(getShortcutKey({ key, code })).toBe(shortcutKey)
})
