import { useEffect, useEffectEvent, useRef } from 'react'
import type { Theme } from '#contract/themes/themes.ts'
import { previewTheme } from '#web/theme/theme-memory.ts'

/** Delay, so that moving across a card doesn't preview it. */
const showDelayMs = 180
/** Grace period, so that moving between cards doesn't flicker. */
const hideDelayMs = 120

export interface ThemePreview {
  show: (theme: Theme) => void
  end: () => void
  stop: () => void
}

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
      wait(showDelayMs, () => {
        state.current.shown = true
        previewTheme(theme)
      }),
    end: () => wait(hideDelayMs, stop),
    stop,
  }
}
