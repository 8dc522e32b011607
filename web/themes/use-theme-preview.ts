import { useEffect, useEffectEvent, useRef } from 'react'
import type { Theme } from '#contract/themes/themes.ts'
import { previewTheme } from '#web/themes/base/theme-memory.ts'

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
  const state = useRef({ timer: 0, isVisible: false })

  const schedule = (milliseconds: number, callback: () => void) => {
    clearTimeout(state.current.timer)
    state.current.timer = window.setTimeout(callback, milliseconds)
  }
  const stop = () => {
    clearTimeout(state.current.timer)
    if (state.current.isVisible) previewTheme(null)
    state.current.isVisible = false
  }
  const stopNow = useEffectEvent(stop)
  useEffect(() => {
    const handleKeyDown = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') stopNow()
    }
    addEventListener('keydown', handleKeyDown)
    return () => {
      removeEventListener('keydown', handleKeyDown)
      stopNow()
    }
  }, [])
  return {
    show: (theme) =>
      schedule(showDelayMs, () => {
        state.current.isVisible = true
        previewTheme(theme)
      }),
    end: () => schedule(hideDelayMs, stop),
    stop,
  }
}
