import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from 'react'
import { writeSetting } from '#web/offline/browser-memory.ts'
import { parseViewMode, readViewMode, type ViewMode, type ViewModeRecord, viewModeKey } from './view-mode.ts'

interface ViewModeState {
  mode: ViewMode
  setMode: (mode: ViewMode) => void
}

const ViewModeContext = createContext<ViewModeState | null>(null)

export function ViewModeProvider({ children }: { children: ReactNode }) {
  const [mode, setCurrentMode] = useState(readViewMode)

  useEffect(() => {
    function handleStorage(event: StorageEvent) {
      if (event.key === viewModeKey) setCurrentMode(parseViewMode(event.newValue))
    }
    addEventListener('storage', handleStorage)
    return () => removeEventListener('storage', handleStorage)
  }, [])

  const setMode = useCallback((next: ViewMode) => {
    const record: ViewModeRecord = { mode: next, timestamp: Date.now() }
    setCurrentMode(next)
    writeSetting(viewModeKey, JSON.stringify(record))
  }, [])

  const state = useMemo(() => ({ mode, setMode }), [mode, setMode])
  return <ViewModeContext value={state}>{children}</ViewModeContext>
}

export function useViewMode(): ViewModeState {
  const state = use(ViewModeContext)
  if (!state) throw new Error('useViewMode must be used within a ViewModeProvider')
  return state
}
