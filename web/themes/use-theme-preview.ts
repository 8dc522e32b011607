import { useEffect, useEffectEvent, useRef } from 'react'
import type { Theme } from '#contract/themes/themes.ts'
import { previewTheme } from '#web/theme/theme-memory.ts'

/** Passing over a card on the way to another one shows nothing. */
const beforeMilliseconds = 180
/** From one card to the next the page does not fall back in between. */
const afterMilliseconds = 120

export interface ThemePreview {
  show: (theme: Theme) => void
  end: () => void
  /** Takes it back at once, as Esc does. */
  stop: () => void
}

/** The whole app wears a theme while somebody looks at it; nothing is remembered or sent. */
export function useThemePreview(): ThemePreview {
  const state = useRef({ timer: 0, shown: false })

  const wait = (milliseconds: number, then: () => void) => {
    clearTimeout(state.current.timer)
    state.current.timer = window.setTimeout(then, milliseconds)
  }
  const stop = () => {
    clearTimeout(state.current.timer)
    if (state.current.shown) previewTheme(null)
    state.current.shown = false
  }
  const stopNow = useEffectEvent(stop)
  useEffect(() => {
    const listen = ({ key }: KeyboardEvent) => key === 'Escape' && stopNow()
    addEventListener('keydown', listen)
    return () => {
      removeEventListener('keydown', listen)
      stopNow()
    }
  }, [])
  return {
    show: (theme) =>
      wait(beforeMilliseconds, () => {
        state.current.shown = true
        previewTheme(theme)
      }),
    end: () => wait(afterMilliseconds, stop),
    stop,
  }
}
