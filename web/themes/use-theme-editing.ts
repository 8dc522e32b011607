import { useState } from 'react'
import { plainColour } from '#contract/themes/plain-colour.ts'
import { type ThemeKey, themeKeys } from '#contract/themes/theme-keys.ts'
import type { ThemeMode } from '#web/theme/theme-colours.ts'
import { type Colours, measure } from './contrast.ts'
import { changed, historyOf, redone, undone } from './edit-history.ts'
import { fixAll, fixedKey } from './fix-contrast.ts'
import { paintedColours } from './painted-colours.ts'
import type { ThemeInFile } from './theme-file.ts'
import { keyLabel, type ThemeValues } from './theme-values.ts'

/** Field texts that aren't valid colors yet; `left` once the field has lost focus. */
type Typed = Readonly<Partial<Record<`${ThemeMode} ${ThemeKey}`, { text: string; left: boolean }>>>

const modes: readonly ThemeMode[] = ['light', 'dark']

/** Editing state of a theme with undo and contrast; `onChange` receives every version. */
export function useThemeEditing(opened: ThemeValues, onChange: (values: ThemeValues) => void) {
  const [history, setHistory] = useState(() => historyOf(opened))
  const [told, setTold] = useState('')
  const [typed, setTyped] = useState<Typed>({})
  const values = history.now
  // An empty slug makes the basis supply the missing colors.
  const painted = (of: ThemeValues, mode: ThemeMode): Colours => paintedColours({ ...of, slug: '' }, mode)

  function go(next: typeof history | undefined) {
    if (!next) return
    setHistory(next)
    onChange(next.now)
  }
  /** Also clears what was typed. */
  function anew(next: typeof history | undefined) {
    setTyped({})
    go(next)
  }
  const change = (next: ThemeValues, about: string) => go(changed(history, next, about, Date.now()))
  const setColours = (mode: ThemeMode, colours: Partial<Record<ThemeKey, string>>, about: string) =>
    change({ ...values, [mode]: { ...values[mode], ...colours } }, about)

  const failing = (of: ThemeValues) =>
    modes.flatMap((mode) => measure(painted(of, mode)).filter(({ passes }) => !passes)).length

  return {
    values,
    failing,
    measured: { light: measure(painted(values, 'light')), dark: measure(painted(values, 'dark')) },
    /** Announcement for screen readers. */
    told,
    set: (change_: Partial<ThemeValues>, about: string) => change({ ...values, ...change_ }, about),
    typed,
    /** `whole`: typing has finished, so a short `#rgb` is accepted. */
    setColour(mode: ThemeMode, key: ThemeKey, text: string, whole: boolean) {
      const colour = whole || text.trim().length === 7 ? plainColour(text) : undefined
      const { [`${mode} ${key}` as const]: _, ...rest } = typed
      if (colour && colour !== values[mode][key]) setColours(mode, { [key]: colour }, `${mode} ${key}`)
      setTyped(colour ? rest : { ...rest, [`${mode} ${key}`]: { text, left: whole } })
    },
    /** Applies unfinished input and returns the values, or the first invalid field after marking it. */
    takeTyped(): { values: ThemeValues } | { wrong: { mode: ThemeMode; key: ThemeKey } } {
      const next = { ...values, light: { ...values.light }, dark: { ...values.dark } }
      const wrong = themeKeys.flatMap((key) =>
        modes.flatMap((mode) => {
          const text = typed[`${mode} ${key}`]?.text
          const colour = text === undefined ? values[mode][key] : plainColour(text)
          if (colour) next[mode][key] = colour
          return colour ? [] : [{ mode, key }]
        }),
      )
      const [first] = wrong
      if (first) {
        setTyped(
          Object.fromEntries(Object.entries(typed).flatMap(([at, box]) => (box ? [[at, { ...box, left: true }]] : []))),
        )
        return { wrong: first }
      }
      if (JSON.stringify(next) !== JSON.stringify(values)) change(next, 'typed')
      setTyped({})
      return { values: next }
    },
    fix(mode: ThemeMode, key: ThemeKey) {
      const colour = fixedKey(key, painted(values, mode))
      const name = `${keyLabel(key)}, ${mode}`
      if (colour === undefined)
        return setTold(
          `No lightness makes ${name} readable on all its backgrounds. Make those backgrounds more alike first.`,
        )
      setColours(mode, { [key]: colour }, `fix ${mode} ${key}`)
      setTyped({ ...typed, [`${mode} ${key}`]: undefined })
      setTold(`${name} is ${colour} now.`)
    },
    /** `left`: pairs that are still hard to read. */
    fixEverything(): { values: ThemeValues; left: number; why: string } {
      const fixed = modes.map((mode) => ({ mode, ...fixAll(painted(values, mode)) }))
      const next = { ...values }
      for (const { mode, changes } of fixed) next[mode] = { ...next[mode], ...changes }
      const count = fixed.reduce((sum, { changes }) => sum + Object.keys(changes).length, 0)
      if (count > 0) change(next, 'fix all')
      const stuck = fixed.flatMap(({ mode, stuck: keys }) => keys.map((key) => `${keyLabel(key)}, ${mode}`))
      const mended = count === 1 ? 'Fixed 1 color.' : `Fixed ${count} colors.`
      const why =
        stuck.length === 0 ? '' : `No lightness helps ${stuck.join('; ')}: make their backgrounds more alike first.`
      setTold(`${mended} ${why}`.trim())
      return { values: next, left: failing(next), why }
    },
    take: (theme: ThemeInFile) => anew(changed(history, { ...values, ...theme }, 'import', Date.now())),
    undo: undone(history) && (() => anew(undone(history))),
    redo: redone(history) && (() => anew(redone(history))),
  }
}
