import type { QueryClient } from '@tanstack/react-query'
import type { NavigateFunction } from 'react-router'
import { ownAccount } from '#contract/accounts/own-account.ts'
import { boards } from '#contract/boards/boards.ts'
import { sampleKeeper } from '#contract/keepers/sample-keeper.ts'
import type { Theme } from '#contract/themes/themes.ts'
import { newAgentPath } from '#web/agents/agent-addresses.ts'
import { call, fetchFile } from '#web/api/api.ts'
import { newBoard } from '#web/boards/studio/studio-texts.ts'
import { saveFile } from '#web/files/save-file.ts'
import { getDashboardPath, newKeeperPath } from '#web/keepers/keeper-addresses.ts'
import { createClientId } from '#web/offline/create-client-id.ts'
import { builtInThemes, type ServerTheme } from '#web/themes/base/theme-colors.ts'
import type { ModeChoice } from '#web/themes/base/theme-memory.ts'
import { showToast } from '#web/ui/overlays/show-toast.tsx'
import { getErrorMessage } from '#web/ui/text/error-message.ts'
import { getLocalTimeZone } from '#web/ui/text/format-time.ts'
import { withNames } from '#web/ui/text/with-names.tsx'
import { firstStepsQuery } from '../first-steps/first-steps-query.ts'
import { type ViewMode, viewModeNames, viewModes } from '../page/view-mode.ts'
import type { PaletteEntry } from './rank-entries.ts'

export interface PaletteContext {
  queryClient: QueryClient
  navigate: NavigateFunction
  setMode: (mode: ViewMode) => void
  setModeChoice: (choice: ModeChoice) => void
  applyTheme: (theme: ServerTheme) => void
  toggleSidebar: () => void
  openSystemInformation: () => void
  openShortcuts: () => void
  signOut: () => void
  /** Without a keeper, New moment leads to the first steps. */
  hasKeeper: boolean
  themes: readonly Theme[]
}

type PaletteAction = Pick<PaletteEntry, 'title' | 'hint' | 'keywords' | 'to' | 'run'> & { id?: string }

/** Palette actions, most frequent first. Those with `to` also open in a new tab. */
export function createPaletteActions(context: PaletteContext): PaletteEntry[] {
  const { navigate, hasKeeper } = context
  const actions: PaletteAction[] = [
    {
      title: 'New moment',
      hint: 'M',
      keywords: 'write catch add',
      to: hasKeeper ? '/keeper/1/dashboard?write' : '/root?first-steps',
    },
    { title: 'New reflection', keywords: 'write journal add', to: '/keeper/1/reflection-journal?tab=write' },
    { title: 'New keeper', keywords: 'create make', to: newKeeperPath },
    { title: 'New agent', keywords: 'create make', to: newAgentPath },
    { title: 'New board', keywords: 'create make', run: () => reportFailure(createBoard(navigate)) },
    { title: 'Upload a document', keywords: 'add file library', to: '/library?upload' },
    ...viewModes.map((mode, index) => ({
      title: `Switch to ${viewModeNames[mode]} mode`,
      hint: `Alt ${index + 1}`,
      run: () => context.setMode(mode),
    })),
    { title: 'Light colors', keywords: 'day bright', run: () => context.setModeChoice('light') },
    { title: 'Dark colors', keywords: 'night', run: () => context.setModeChoice('dark') },
    { title: 'Match the system’s light or dark mode', keywords: 'system', run: () => context.setModeChoice('system') },
    ...[...builtInThemes, ...context.themes].map(
      ({ name, slug }): PaletteAction => ({
        id: `wear ${slug}`,
        title: `Use theme ${name}`,
        keywords: 'colors colours look apply',
        run: () => reportFailure(applyThemeBySlug(slug, context.applyTheme)),
      }),
    ),
    // Passed as state, because a link must not be able to start paid calls.
    {
      title: 'Run diagnostics',
      keywords: 'check health debug',
      run: () => navigate('/debug', { state: { run: true } }),
    },
    {
      title: 'Export everything',
      keywords: 'download backup zip take out',
      run: () => reportFailure(exportEverything()),
    },
    { title: 'Look at a sample keeper', keywords: 'demo example try', run: () => reportFailure(openSample(navigate)) },
    {
      title: 'Show first steps',
      keywords: 'help begin guide tour checklist',
      run: () => reportFailure(showFirstSteps(context)),
    },
    { title: 'Collapse or expand the sidebar', hint: '[', run: context.toggleSidebar },
    { title: 'Show system information', keywords: 'debug version', run: context.openSystemInformation },
    { title: 'Show keyboard shortcuts', hint: '?', keywords: 'help keys', run: context.openShortcuts },
    { title: 'Sign out', keywords: 'log out leave', run: context.signOut },
  ]
  return actions.map((action) => ({ id: `do ${action.title}`, ...action, group: 'Do' }))
}

async function createBoard(navigate: NavigateFunction): Promise<void> {
  const { id } = await call(boards.create, { body: { id: createClientId(), ...newBoard } })
  navigate(`/studio/board-studio?board=${encodeURIComponent(id)}`)
}

async function applyThemeBySlug(slug: string, apply: PaletteContext['applyTheme']): Promise<void> {
  const { saveAndApplyTheme } = await import('#web/themes/apply-theme.ts')
  await saveAndApplyTheme(slug, apply)
}

async function exportEverything(): Promise<void> {
  void showToast('Preparing your download. With many pictures, this can take a while.', {
    durationMs: Number.POSITIVE_INFINITY,
  })
  const { blob, name = 'keeper-account.zip' } = await fetchFile(ownAccount.download)
  saveFile(blob, name)
  void showToast(withNames`${name} is in your downloads.`)
}

async function openSample(navigate: NavigateFunction): Promise<void> {
  const { id } = await call(sampleKeeper.make, { body: { timezone: getLocalTimeZone() } })
  navigate(getDashboardPath(id))
}

async function showFirstSteps({ queryClient, navigate }: PaletteContext): Promise<void> {
  const steps = await call(ownAccount.dismissFirstSteps, { body: { dismissed: false } })
  queryClient.setQueryData(firstStepsQuery.queryKey, steps)
  navigate('/root?first-steps')
}

/** The palette is closed by then, so failures show as a toast. */
function reportFailure(action: Promise<void>): void {
  action.catch((reason: unknown) => void showToast(getErrorMessage(reason)))
}
