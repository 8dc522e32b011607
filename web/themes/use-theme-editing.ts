import { useState } from 'react'
import type { ThemeKey } from '#contract/themes/theme-keys.ts'
import type { ThemeMode } from '#web/theme/theme-colours.ts'
import { type Colours, measure } from './contrast.ts'
import { changed, historyOf, redone, undone } from './edit-history.ts'
import { fixAll, fixedKey } from './fix-contrast.ts'
import { paintedColours } from './painted-colours.ts'
import type { ThemeInFile } from './theme-file.ts'
import { keyLabel, type ThemeValues } from './theme-values.ts'

const modes: readonly ThemeMode[] = ['light', 'dark']

/** A theme while it is changed, with its undo and what its colours measure; `onChange` hears every version. */
export function useThemeEditing(opened: ThemeValues, onChange: (values: ThemeValues) => void) {
  const [history, setHistory] = useState(() => historyOf(opened))
  const [told, setTold] = useState('')
  const values = history.now
  // A slug of nobody: what it does not bring is the default’s.
  const painted = (of: ThemeValues, mode: ThemeMode): Colours => paintedColours({ ...of, slug: '' }, mode)

  function go(next: typeof history | undefined) {
    if (!next) return
    setHistory(next)
    onChange(next.now)
  }
  const change = (next: ThemeValues, about: string) => go(changed(history, next, about, Date.now()))
  const setColours = (mode: ThemeMode, colours: Partial<Record<ThemeKey, string>>, about: string) =>
    change({ ...values, [mode]: { ...values[mode], ...colours } }, about)

  return {
    values,
    measured: { light: measure(painted(values, 'light')), dark: measure(painted(values, 'dark')) },
    /** What was mended, or could not be, for those who listen. */
    told,
    set: (change_: Partial<ThemeValues>, about: string) => change({ ...values, ...change_ }, about),
    setColour: (mode: ThemeMode, key: ThemeKey, colour: string) =>
      setColours(mode, { [key]: colour }, `${mode} ${key}`),
    /** The one ink, moved until it can be read. */
    fix(mode: ThemeMode, key: ThemeKey) {
      const colour = fixedKey(key, painted(values, mode))
      const name = `${keyLabel(key)}, ${mode}`
      if (colour === undefined)
        return setTold(
          `No lightness of ${name} can be read on all it lies on. Bring those grounds closer to each other first.`,
        )
      setColours(mode, { [key]: colour }, `fix ${mode} ${key}`)
      setTold(`${name} is ${colour} now.`)
    },
    fixEverything() {
      const fixed = modes.map((mode) => ({ mode, ...fixAll(painted(values, mode)) }))
      const next = { ...values }
      for (const { mode, changes } of fixed) next[mode] = { ...next[mode], ...changes }
      const count = fixed.reduce((sum, { changes }) => sum + Object.keys(changes).length, 0)
      if (count > 0) change(next, 'fix all')
      const stuck = fixed.flatMap(({ mode, stuck: keys }) => keys.map((key) => `${keyLabel(key)}, ${mode}`))
      const mended = count === 1 ? 'Fixed 1 colour.' : `Fixed ${count} colours.`
      setTold(
        stuck.length === 0
          ? mended
          : `${mended} No lightness helps ${stuck.join('; ')}: bring the grounds they lie on closer to each other first.`,
      )
    },
    take: (theme: ThemeInFile) => change({ ...values, ...theme }, 'import'),
    undo: undone(history) && (() => go(undone(history))),
    redo: redone(history) && (() => go(redone(history))),
  }
}
