import { useState } from 'react'
import { normalizeColor } from '#contract/themes/normalize-color.ts'
import { type ThemeKey, themeKeys } from '#contract/themes/theme-keys.ts'
import type { ThemeMode } from '#web/themes/base/theme-colors.ts'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { type Colors, fixAllKeys, fixThemeKey, measureContrast } from './contrast.ts'
import type { ThemeInFile } from './theme-file.ts'
import { getKeyLabel, type ThemeValues, themeModes } from './theme-values.ts'
import { getPaintedColors } from './themed-box.tsx'

interface EditHistory<State> {
  past: readonly State[]
  present: State
  future: readonly State[]
  /** Subject and time (ms) of the newest change, to merge following changes of the same subject. */
  last?: { subject: string; changedAt: number }
}

const maxEntries = 100
const mergeWithinMs = 800

export function createHistory<State>(present: State): EditHistory<State> {
  return { past: [], present, future: [] }
}

/** Merges quick successive changes of one subject, so that dragging a color is undone in one step. */
export function pushChange<State>(
  history: EditHistory<State>,
  next: State,
  subject: string,
  changedAt: number,
): EditHistory<State> {
  const { last, past, present } = history
  const isMerged = last?.subject === subject && changedAt - last.changedAt < mergeWithinMs && past.length > 0
  return {
    past: isMerged ? past : [...past, present].slice(-maxEntries),
    present: next,
    future: [],
    last: { subject, changedAt },
  }
}

export function undoChange<State>({ past, present, future }: EditHistory<State>): EditHistory<State> | undefined {
  const previous = past.at(-1)
  return previous && { past: past.slice(0, -1), present: previous, future: [present, ...future] }
}

export function redoChange<State>({ past, present, future }: EditHistory<State>): EditHistory<State> | undefined {
  const [next, ...remaining] = future
  return next && { past: [...past, present], present: next, future: remaining }
}

/** Field texts that aren't valid colors yet; `isBlurred`: the field has lost focus. */
type TypedColors = Readonly<Partial<Record<`${ThemeMode} ${ThemeKey}`, { text: string; isBlurred: boolean }>>>

export function useThemeEditing(initialValues: ThemeValues, onChange: (values: ThemeValues) => void) {
  const [history, setHistory] = useState(() => createHistory(initialValues))
  const [announcement, setAnnouncement] = useState('')
  const [typed, setTyped] = useState<TypedColors>({})
  const values = history.present
  // With an empty slug, missing colors come from the built-in theme in `basis`.
  const getModeColors = (theme: ThemeValues, mode: ThemeMode): Colors => getPaintedColors({ ...theme, slug: '' }, mode)

  function setCurrent(next: typeof history | undefined) {
    if (!next) return
    setHistory(next)
    onChange(next.present)
  }
  /** Replaces the history and clears typed values. */
  function replaceAll(next: typeof history | undefined) {
    setTyped({})
    setCurrent(next)
  }
  const change = (next: ThemeValues, subject: string) => setCurrent(pushChange(history, next, subject, Date.now()))
  const setColors = (mode: ThemeMode, colors: Partial<Record<ThemeKey, string>>, subject: string) =>
    change({ ...values, [mode]: { ...values[mode], ...colors } }, subject)

  const countFailing = (theme: ThemeValues) =>
    themeModes.flatMap((mode) => measureContrast(getModeColors(theme, mode)).filter(({ passes }) => !passes)).length

  return {
    values,
    countFailing,
    measuredPairs: {
      light: measureContrast(getModeColors(values, 'light')),
      dark: measureContrast(getModeColors(values, 'dark')),
    },
    announcement,
    set: (changes: Partial<ThemeValues>, subject: string) => change({ ...values, ...changes }, subject),
    typed,
    /** `isFinal`: typing has finished, so a short `#rgb` is accepted. */
    setColor(mode: ThemeMode, key: ThemeKey, text: string, isFinal: boolean) {
      const color = isFinal || text.trim().length === 7 ? normalizeColor(text) : undefined
      const { [`${mode} ${key}` as const]: _, ...otherTyped } = typed
      if (color && color !== values[mode][key]) setColors(mode, { [key]: color }, `${mode} ${key}`)
      setTyped(color ? otherTyped : { ...otherTyped, [`${mode} ${key}`]: { text, isBlurred: isFinal } })
    },
    /** Applies unfinished input and returns the values, or the first invalid field after marking it. */
    commitTyped(): { values: ThemeValues } | { invalid: { mode: ThemeMode; key: ThemeKey } } {
      const next = { ...values, light: { ...values.light }, dark: { ...values.dark } }
      const invalidFields = themeKeys.flatMap((key) =>
        themeModes.flatMap((mode) => {
          const text = typed[`${mode} ${key}`]?.text
          const color = text === undefined ? values[mode][key] : normalizeColor(text)
          if (color) next[mode][key] = color
          return color ? [] : [{ mode, key }]
        }),
      )
      const [first] = invalidFields
      if (first) {
        setTyped(
          Object.fromEntries(
            Object.entries(typed).flatMap(([name, input]) => (input ? [[name, { ...input, isBlurred: true }]] : [])),
          ),
        )
        return { invalid: first }
      }
      if (JSON.stringify(next) !== JSON.stringify(values)) change(next, 'typed')
      setTyped({})
      return { values: next }
    },
    fixKey(mode: ThemeMode, key: ThemeKey) {
      const color = fixThemeKey(key, getModeColors(values, mode))
      const name = `${getKeyLabel(key)}, ${mode}`
      if (color === undefined)
        return setAnnouncement(
          `No lightness makes ${name} readable on all its backgrounds. Make those backgrounds more similar first.`,
        )
      setColors(mode, { [key]: color }, `fix ${mode} ${key}`)
      setTyped({ ...typed, [`${mode} ${key}`]: undefined })
      setAnnouncement(`${name} is now ${color}.`)
    },
    /** `failingCount`: pairs that are still hard to read. */
    fixAll(): { values: ThemeValues; failingCount: number; unfixableText: string } {
      const fixesByMode = themeModes.map((mode) => ({ mode, ...fixAllKeys(getModeColors(values, mode)) }))
      const next = { ...values }
      for (const { mode, changes } of fixesByMode) next[mode] = { ...next[mode], ...changes }
      const fixedCount = fixesByMode.reduce((total, { changes }) => total + Object.keys(changes).length, 0)
      if (fixedCount > 0) change(next, 'fix all')
      const unfixable = fixesByMode.flatMap(({ mode, unfixable: keys }) =>
        keys.map((key) => `${getKeyLabel(key)}, ${mode}`),
      )
      const unfixableText =
        unfixable.length === 0
          ? ''
          : `No lightness helps ${unfixable.join('; ')}: make their backgrounds more similar first.`
      setAnnouncement(`Fixed ${pluralize(fixedCount, 'color')}. ${unfixableText}`.trim())
      return { values: next, failingCount: countFailing(next), unfixableText }
    },
    importTheme: (theme: ThemeInFile) => replaceAll(pushChange(history, { ...values, ...theme }, 'import', Date.now())),
    undo: undoChange(history) && (() => replaceAll(undoChange(history))),
    redo: redoChange(history) && (() => replaceAll(redoChange(history))),
  }
}
