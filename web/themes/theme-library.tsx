import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState, useSyncExternalStore } from 'react'
import { accounts } from '#contract/accounts/accounts.ts'
import { type Theme, themes } from '#contract/themes/themes.ts'
import { call, getServerMessage } from '#web/api/api.ts'
import { QueryError } from '#web/queries/query-error.tsx'
import { defaultTheme } from '#web/themes/base/theme-colors.ts'
import { readThemeMemory } from '#web/themes/base/theme-memory.ts'
import { onThemePainted, useTheme } from '#web/themes/base/theme-provider.tsx'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { ShowMore } from '#web/ui/controls/show-more.tsx'
import { Spot } from '#web/ui/drawings/spot.tsx'
import { showToast } from '#web/ui/overlays/show-toast.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/panels/skeleton.tsx'
import { withNames } from '#web/ui/text/with-names.tsx'
import { offerUndo } from './apply-theme.ts'
import { ThemeCard } from './theme-card.tsx'
import type { ThemeInFile } from './theme-file.ts'
import { ThemeFilePicker, ThemeFileProblems } from './theme-file-picker.tsx'
import { getNewThemeRoute, themesKey, useThemes } from './theme-queries.ts'
import { useThemePreview } from './use-theme-preview.ts'

const undoToastMs = 10_000

function useDeleteTheme(onFailure: (text: string) => void) {
  const queryClient = useQueryClient()
  const { applyTheme } = useTheme()
  const reportFailure = (reason: unknown, text: string) => onFailure(getServerMessage(reason) ?? text)
  const reload = () => queryClient.invalidateQueries({ queryKey: themesKey })

  async function restore(theme: Theme, wasInUse: boolean) {
    try {
      const restored = await call(themes.restore, { params: { themeId: theme.id } })
      if (wasInUse) applyTheme(restored)
      await reload()
    } catch (reason) {
      reportFailure(reason, `${theme.name} couldn’t be restored. Try again from the library.`)
    }
  }

  return async (theme: Theme) => {
    try {
      await call(themes.remove, { params: { themeId: theme.id } })
    } catch (reason) {
      return reportFailure(reason, `${theme.name} couldn’t be deleted. Try again.`)
    }
    const wasInUse = readThemeMemory().slug === theme.slug
    if (wasInUse) applyTheme(defaultTheme)
    await reload()
    await showToast(
      wasInUse ? withNames`Deleted ${theme.name}. Keeper Classic is in use again.` : withNames`Deleted ${theme.name}.`,
      {
        durationMs: undoToastMs,
        onUndo: () => void restore(theme, wasInUse),
      },
    )
  }
}

const gridClasses = 'grid grid-cols-[repeat(auto-fill,minmax(min(20rem,100%),1fr))] gap-x-[26px] gap-y-8'

export function ThemeLibrary() {
  const list = useThemes()
  const { items } = list
  const { mode } = useTheme()
  const { slug, choose, failure, dismissFailure } = useChosenTheme()
  const [problems, setProblems] = useState<string[]>([])
  const preview = useThemePreview()
  const remove = useDeleteTheme((text) => setProblems([text]))
  const queryClient = useQueryClient()
  const listElement = useRef<HTMLDivElement>(null)
  const currentTheme = items?.find((theme) => theme.slug === slug)

  async function importTheme(theme: ThemeInFile) {
    setProblems([])
    try {
      const created = await call(themes.create, { body: theme })
      await queryClient.invalidateQueries({ queryKey: themesKey })
      await showToast(withNames`Imported ${created.name}.`)
    } catch (reason) {
      setProblems([getServerMessage(reason) ?? 'The theme couldn’t be imported. Try again.'])
    }
  }

  if (list.isPending)
    return (
      <SkeletonGroup className={gridClasses}>
        {[1, 2, 3, 4, 5, 6].map((card) => (
          <Skeleton key={card} className="h-64" />
        ))}
      </SkeletonGroup>
    )
  if (!items)
    return (
      <QueryError query={list} title={getServerMessage(list.error) ?? 'The themes couldn’t be loaded'}>
        Your current theme stays in use.
      </QueryError>
    )

  const renderCard = (theme: Theme) => (
    <li key={theme.id} className="min-w-0">
      <ThemeCard
        theme={theme}
        inUse={theme.slug === slug}
        mode={mode}
        preview={preview}
        onUse={() => {
          void choose(theme, currentTheme)
          const previous = currentTheme ?? items.find(({ slug: itemSlug }) => itemSlug === defaultTheme.slug)
          if (previous) offerUndo(theme, () => void choose(previous, theme))
        }}
        onDelete={async () => {
          preview.stop()
          await remove(theme)
          // The focused card was removed.
          listElement.current?.focus()
        }}
      />
    </li>
  )
  const publicThemes = items.filter(({ mine: isMine, system }) => !isMine && !system)
  return (
    <div ref={listElement} tabIndex={-1} className="outline-none">
      {failure && (
        <Banner tone="error" className="mb-4" onDismiss={dismissFailure}>
          {failure}
        </Banner>
      )}
      {problems.length > 0 && (
        <Banner tone="error" className="mb-4" onDismiss={() => setProblems([])}>
          <ThemeFileProblems problems={problems} />
        </Banner>
      )}
      <ul aria-label="Themes" className={gridClasses}>
        {items.filter(({ mine: isMine, system }) => isMine || system).map(renderCard)}
        <li className="flex min-h-56 min-w-0 flex-col items-center justify-center gap-2 rounded-xl border-[1.5px] border-dashed border-input p-5 text-center">
          <Spot name="leaf" width={110} />
          <h2 className="text-h3">Your own</h2>
          <p className="max-w-[24em] text-ui text-muted-foreground">
            Start from a theme you like and change its colors. Contrast is checked as you pick.
          </p>
          <div className="mt-1 flex flex-wrap justify-center gap-2">
            <LinkButton size="small" to={getNewThemeRoute(currentTheme?.id ?? defaultTheme.slug)}>
              Start from {currentTheme?.name ?? defaultTheme.name}
            </LinkButton>
            <ThemeFilePicker onThemeRead={importTheme} onProblems={setProblems} />
          </div>
        </li>
      </ul>
      {publicThemes.length > 0 && (
        <section aria-labelledby="themes-of-others" className="mt-10">
          <h2 id="themes-of-others" className="mb-4">
            Made by others
          </h2>
          <ul aria-labelledby="themes-of-others" className={gridClasses}>
            {publicThemes.map(renderCard)}
          </ul>
        </section>
      )}
      {list.hasNextPage && <ShowMore {...list} size="medium" className="mt-6" />}
    </div>
  )
}

function useChosenTheme() {
  const { applyTheme } = useTheme()
  const slug = useSyncExternalStore(onThemePainted, () => readThemeMemory().slug)
  const [failure, setFailure] = useState<string>()
  // The last theme saved on the server; only the newest choice falls back to it.
  const savedTheme = useRef<Theme | typeof defaultTheme>(undefined)
  const latestChoice = useRef(0)
  // Requests are serialized, so that the last choice wins.
  const requestQueue = useRef<Promise<unknown>>(Promise.resolve())

  async function choose(theme: Theme, previous: Theme | undefined): Promise<boolean> {
    latestChoice.current += 1
    const choice = latestChoice.current
    savedTheme.current ??= previous ?? defaultTheme
    setFailure(undefined)
    applyTheme(theme)
    const request = requestQueue.current.then(() =>
      call(accounts.updateSettings, { body: { preferred_theme_id: theme.id } }),
    )
    requestQueue.current = request.catch(() => undefined)
    try {
      await request
      savedTheme.current = theme
      return true
    } catch (reason) {
      if (choice !== latestChoice.current) return false
      const fallback = savedTheme.current
      applyTheme(fallback)
      const detail = getServerMessage(reason) ?? 'The server couldn’t be reached.'
      setFailure(`${theme.name} couldn’t be saved as your theme, so ${fallback.name} is back. ${detail}`)
      return false
    }
  }

  return { slug, choose, failure, dismissFailure: () => setFailure(undefined) }
}
