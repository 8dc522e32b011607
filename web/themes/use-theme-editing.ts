import { useState } from 'react'
import { normalizeColor } from '#contract/themes/normalize-color.ts'
import { type ThemeKey, themeKeys } from '#contract/themes/theme-keys.ts'
import type { ThemeMode } from '#web/theme/theme-colours.ts'
import { type Colours, measureContrast } from './contrast.ts'
import { createHistory, pushChange, redoChange, undoChange } from './edit-history.ts'
import { fixAllKeys, fixThemeKey } from './fix-contrast.ts'
import { getPaintedColors } from './painted-colours.ts'
import type { ThemeInFile } from './theme-file.ts'
import { getKeyLabel, type ThemeValues } from './theme-values.ts'

/** Field texts that aren't valid colors yet; `left` once the field has lost focus. */
type TypedColors = Readonly<Partial<Record<`${ThemeMode} ${ThemeKey}`, { text: string; left: boolean }>>>

const modes: readonly ThemeMode[] = ['light', 'dark']

export function useThemeEditing(opened: ThemeValues, onChange: (values: ThemeValues) => void) {
  const [history, setHistory] = useState(() => createHistory(opened))
  const [announcement, setAnnouncement] = useState('')
  const [typed, setTyped] = useState<TypedColors>({})
  const values = history.now
  // An empty slug makes the basis supply the missing colors.
  const paintMode = (theme: ThemeValues, mode: ThemeMode): Colours => getPaintedColors({ ...theme, slug: '' }, mode)

  function setCurrent(next: typeof history | undefined) {
    if (!next) return
    setHistory(next)
    onChange(next.now)
  }
  /** Also clears what was typed. */
  function replaceAll(next: typeof history | undefined) {
    setTyped({})
    setCurrent(next)
  }
  const change = (next: ThemeValues, about: string) => setCurrent(pushChange(history, next, about, Date.now()))
  const setColours = (mode: ThemeMode, colours: Partial<Record<ThemeKey, string>>, about: string) =>
    change({ ...values, [mode]: { ...values[mode], ...colours } }, about)

  const failing = (theme: ThemeValues) =>
    modes.flatMap((mode) => measureContrast(paintMode(theme, mode)).filter(({ passes }) => !passes)).length

  return {
    values,
    failing,
    measured: { light: measureContrast(paintMode(values, 'light')), dark: measureContrast(paintMode(values, 'dark')) },
    told: announcement,
    set: (change_: Partial<ThemeValues>, about: string) => change({ ...values, ...change_ }, about),
    typed,
    /** `isFinal`: typing has finished, so a short `#rgb` is accepted. */
    setColour(mode: ThemeMode, key: ThemeKey, text: string, whole: boolean) {
      const colour = whole || text.trim().length === 7 ? normalizeColor(text) : undefined
      const { [`${mode} ${key}` as const]: _, ...otherTyped } = typed
      if (colour && colour !== values[mode][key]) setColours(mode, { [key]: colour }, `${mode} ${key}`)
      setTyped(colour ? otherTyped : { ...otherTyped, [`${mode} ${key}`]: { text, left: whole } })
    },
    /** Applies unfinished input and returns the values, or the first invalid field after marking it. */
    takeTyped(): { values: ThemeValues } | { wrong: { mode: ThemeMode; key: ThemeKey } } {
      const next = { ...values, light: { ...values.light }, dark: { ...values.dark } }
      const wrong = themeKeys.flatMap((key) =>
        modes.flatMap((mode) => {
          const text = typed[`${mode} ${key}`]?.text
          const colour = text === undefined ? values[mode][key] : normalizeColor(text)
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
      const colour = fixThemeKey(key, paintMode(values, mode))
      const name = `${getKeyLabel(key)}, ${mode}`
      if (colour === undefined)
        return setAnnouncement(
          `No lightness makes ${name} readable on all its backgrounds. Make those backgrounds more similar first.`,
        )
      setColours(mode, { [key]: colour }, `fix ${mode} ${key}`)
      setTyped({ ...typed, [`${mode} ${key}`]: undefined })
      setAnnouncement(`${name} is now ${colour}.`)
    },
    /** `left`: pairs that are still hard to read. */
    fixEverything(): { values: ThemeValues; left: number; unfixableText: string } {
      const fixed = modes.map((mode) => ({ mode, ...fixAllKeys(paintMode(values, mode)) }))
      const next = { ...values }
      for (const { mode, changes } of fixed) next[mode] = { ...next[mode], ...changes }
      const count = fixed.reduce((total, { changes }) => total + Object.keys(changes).length, 0)
      if (count > 0) change(next, 'fix all')
      const unfixable = fixed.flatMap(({ mode, unfixable: keys }) => keys.map((key) => `${getKeyLabel(key)}, ${mode}`))
      const fixedText = count === 1 ? 'Fixed 1 color.' : `Fixed ${count} colors.`
      const unfixableText =
        unfixable.length === 0
          ? ''
          : `No lightness helps ${unfixable.join('; ')}: make their backgrounds more similar first.`
      setAnnouncement(`${fixedText} ${unfixableText}`.trim())
      return { values: next, left: failing(next), unfixableText }
    },
    take: (theme: ThemeInFile) => replaceAll(pushChange(history, { ...values, ...theme }, 'import', Date.now())),
    undo: undoChange(history) && (() => replaceAll(undoChange(history))),
    redo: redoChange(history) && (() => replaceAll(redoChange(history))),
  }
}
