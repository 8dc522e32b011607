import { readSetting } from '#web/offline/browser-memory.ts'

export const viewModes = ['Architect', 'MyKeeper', 'Admin'] as const
export type ViewMode = (typeof viewModes)[number]

export const viewModeKey = 'keeper-view-mode'
const defaultViewMode: ViewMode = 'Architect'

export const viewModeNames: Record<ViewMode, string> = {
  Architect: 'Architect',
  MyKeeper: 'My Keeper',
  Admin: 'Admin',
}

export interface ViewModeRecord {
  mode: ViewMode
  timestamp: number
}

export function readViewMode(): ViewMode {
  return parseViewMode(readSetting(viewModeKey))
}

export function parseViewMode(stored: string | null): ViewMode {
  try {
    const record = JSON.parse(stored ?? 'null') as Partial<ViewModeRecord> | null
    return viewModes.find((mode) => mode === record?.mode) ?? defaultViewMode
  } catch {
    return defaultViewMode
  }
}
