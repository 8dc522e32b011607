import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { type Theme, themes } from '#contract/themes/themes.ts'
import { ApiError, call } from '#web/api.ts'
import { defaultTheme } from '#web/theme/theme-colours.ts'
import { useTheme } from '#web/theme/theme-provider.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Spot } from '#web/ui/drawings/spot.tsx'
import { ErrorPanel } from '#web/ui/error-panel.tsx'
import { LinkButton } from '#web/ui/link-button.tsx'
import { showToast } from '#web/ui/show-toast.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { Problems } from './problems.tsx'
import { themeFromAddress } from './theme-addresses.ts'
import { ThemeCard } from './theme-card.tsx'
import type { ThemeInFile } from './theme-file.ts'
import { ThemeFilePicker } from './theme-file-picker.tsx'
import { themesKey, useThemes } from './theme-queries.ts'
import { useChosenTheme } from './use-chosen-theme.ts'
import { useDeleteTheme } from './use-delete-theme.ts'
import { useThemePreview } from './use-theme-preview.ts'
import { offerWayBack } from './wear-theme.ts'

const grid = 'grid grid-cols-[repeat(auto-fill,minmax(min(320px,100%),1fr))] gap-x-[26px] gap-y-8'

export function ThemeLibrary() {
  const { items, error, isPending, refetch, isRefetching, hasMore, showMore, isPlaceholderData } = useThemes()
  const { mode } = useTheme()
  const { slug, choose, failure, dismissFailure } = useChosenTheme()
  const [problems, setProblems] = useState<string[]>([])
  const preview = useThemePreview()
  const remove = useDeleteTheme((text) => setProblems([text]))
  const queries = useQueryClient()
  const list = useRef<HTMLDivElement>(null)
  const worn = items?.find((theme) => theme.slug === slug)

  async function take(theme: ThemeInFile) {
    setProblems([])
    try {
      const made = await call(themes.create, { body: theme })
      await queries.invalidateQueries({ queryKey: themesKey })
      await showToast(`Imported ${made.name}.`)
    } catch (reason) {
      setProblems([(reason instanceof ApiError && reason.told) || 'The theme couldn’t be imported. Try again.'])
    }
  }

  if (isPending)
    return (
      <SkeletonGroup className={grid}>
        {[1, 2, 3, 4, 5, 6].map((card) => (
          <Skeleton key={card} className="h-64" />
        ))}
      </SkeletonGroup>
    )
  if (!items)
    return (
      <ErrorPanel
        reason={error}
        title={(error instanceof ApiError && error.told) || 'The themes couldn’t be loaded'}
        onRetry={() => refetch()}
        retrying={isRefetching}
      >
        Your current theme stays.
      </ErrorPanel>
    )

  const card = (theme: Theme) => (
    <li key={theme.id} className="min-w-0">
      <ThemeCard
        theme={theme}
        inUse={theme.slug === slug}
        mode={mode}
        preview={preview}
        onUse={() => {
          void choose(theme, worn)
          const before = worn ?? items.find(({ slug: each }) => each === defaultTheme.slug)
          if (before) offerWayBack(theme, () => void choose(before, theme))
        }}
        onDelete={async () => {
          preview.stop()
          await remove(theme)
          // The focused card was removed.
          list.current?.focus()
        }}
      />
    </li>
  )
  const ofOthers = items.filter(({ mine, system }) => !mine && !system)
  return (
    <div ref={list} tabIndex={-1} className="outline-none">
      {failure && (
        <Banner tone="error" className="mb-4" onDismiss={dismissFailure}>
          {failure}
        </Banner>
      )}
      {problems.length > 0 && (
        <Banner tone="error" className="mb-4" onDismiss={() => setProblems([])}>
          <Problems of={problems} />
        </Banner>
      )}
      <ul aria-label="Themes" className={grid}>
        {items.filter(({ mine, system }) => mine || system).map(card)}
        <li className="flex min-h-56 min-w-0 flex-col items-center justify-center gap-2 rounded-xl border-[1.5px] border-dashed border-input p-5 text-center">
          <Spot name="leaf" width={110} />
          <h3>Your own</h3>
          <p className="max-w-[24em] text-ui text-muted-foreground">
            Start from a theme you like and change its colors. Contrast is checked as you pick.
          </p>
          <div className="mt-1 flex flex-wrap justify-center gap-2">
            <LinkButton size="small" to={themeFromAddress(worn?.id ?? defaultTheme.slug)}>
              Start from {worn?.name ?? defaultTheme.name}
            </LinkButton>
            <ThemeFilePicker onTheme={take} onProblems={setProblems} />
          </div>
        </li>
      </ul>
      {ofOthers.length > 0 && (
        <section aria-labelledby="themes-of-others" className="mt-10">
          <h2 id="themes-of-others" className="mb-4">
            Made by others
          </h2>
          <ul aria-labelledby="themes-of-others" className={grid}>
            {ofOthers.map(card)}
          </ul>
        </section>
      )}
      {hasMore && (
        <Button className="mt-6" busy={isPlaceholderData} busyLabel="Loading..." onClick={showMore}>
          Show more
        </Button>
      )}
    </div>
  )
}
