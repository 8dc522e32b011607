import type { ModeChoice } from '#web/theme/theme-memory.ts'
import type { Deed } from './command-palette.tsx'
import { type ViewMode, viewModeNames, viewModes } from './view-mode.ts'

interface Doers {
  setMode: (mode: ViewMode) => void
  setModeChoice: (choice: ModeChoice) => void
  toggleSidebar: () => void
  openSystemInformation: () => void
  openShortcuts: () => void
  signOut: () => void
}

export function paletteDeeds(doers: Doers): Deed[] {
  return [
    ...viewModes.map((mode, at) => ({
      title: `Switch to ${viewModeNames[mode]} mode`,
      keys: `Alt ${at + 1}`,
      run: () => doers.setMode(mode),
    })),
    { title: 'Light colours', run: () => doers.setModeChoice('light') },
    { title: 'Dark colours', run: () => doers.setModeChoice('dark') },
    { title: 'Colours as this machine has them', run: () => doers.setModeChoice('system') },
    { title: 'Fold or open the sidebar', keys: '[', run: doers.toggleSidebar },
    { title: 'Show system information', run: doers.openSystemInformation },
    { title: 'Show keyboard shortcuts', keys: '?', run: doers.openShortcuts },
    { title: 'Sign out', run: doers.signOut },
  ]
}
