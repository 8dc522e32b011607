import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { type Theme, themes } from '#contract/themes/themes.ts'
import { call, getServerMessage } from '#web/api/api.ts'
import { getConflict } from '#web/offline/conflict-dialog.tsx'
import { useIdempotencyKey } from '#web/offline/create-client-id.ts'
import { useDraft } from '#web/offline/use-draft.ts'
import { QueryError } from '#web/queries/query-error.tsx'
import { readThemeMemory } from '#web/themes/base/theme-memory.ts'
import { useTheme } from '#web/themes/base/theme-provider.tsx'
import { showToast } from '#web/ui/overlays/show-toast.tsx'
import { lazyComponent } from '#web/ui/panels/lazy-component.tsx'
import { Skeleton } from '#web/ui/panels/skeleton.tsx'
import { withNames } from '#web/ui/text/with-names.tsx'
import { offerDefaultTheme } from './apply-theme.ts'
import { ThemeEditor } from './theme-editor.tsx'
import { themeLibraryRoute, themesKey } from './theme-queries.ts'
import { copyThemeValues, type ThemeValues, toThemeValues } from './theme-values.ts'

const ThemeSamplePage = lazyComponent(
  async () => (await import('./theme-sample-page.tsx')).ThemeSamplePage,
  <Skeleton className="m-5 h-96" />,
)

interface ThemeEditorPageProps {
  /** ID or slug of the theme to edit, or to start a new one from. */
  themeId: string
  isNew: boolean
}

export function ThemeEditorPage({ themeId, isNew }: ThemeEditorPageProps) {
  const query = useQuery({
    queryKey: [...themesKey, 'to-change', themeId],
    queryFn: ({ signal }) => call(themes.show, { params: { themeId }, signal }),
    // The theme must not change while it is edited; a conflicting save is reported.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
  const { data, error } = query
  if (error && !data)
    return (
      <QueryError query={query} title={getServerMessage(error) ?? 'The theme couldn’t be loaded'}>
        Your earlier changes are saved in this browser.
      </QueryError>
    )
  if (!data) return <Skeleton className="h-96" />
  // Other people's themes can be copied but not edited.
  return <OpenThemeEditor key={`${data.id} ${isNew}`} theme={data} isNew={isNew || !data.mine} />
}

function OpenThemeEditor({ theme, isNew }: { theme: Theme; isNew: boolean }) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const { applyTheme } = useTheme()
  const [initial] = useState(() => ({ rev: theme.rev, values: isNew ? copyThemeValues(theme) : toThemeValues(theme) }))
  const draft = useDraft<{ rev: number; values: ThemeValues }>(
    isNew ? `theme/new/${theme.id}` : `theme/${theme.id}`,
    initial,
  )
  const [saving, setSaving] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const [newerTheme, setNewerTheme] = useState<Theme>()
  const getIdempotencyKey = useIdempotencyKey()
  // Remounts the editor after discarding changes or taking the newer version.
  const [editorKey, setEditorKey] = useState(0)
  const editorRef = useRef<HTMLDivElement>(null)

  useEffect(() => {
    if (draft.ready) editorRef.current?.focus({ preventScroll: true })
  }, [draft.ready])

  async function save(values: ThemeValues, rev = draft.value.rev) {
    setSaving(true)
    setFailure(undefined)
    try {
      const saved = isNew
        ? await call(themes.create, { body: values, idempotencyKey: getIdempotencyKey(values) })
        : await call(themes.update, { params: { themeId: theme.id }, body: values, ifMatch: rev })
      await draft.release()
      const isInUse = readThemeMemory().slug === saved.slug
      if (isInUse) applyTheme(saved)
      await queryClient.invalidateQueries({ queryKey: themesKey })
      navigate(themeLibraryRoute)
      if (!isInUse || !offerDefaultTheme(saved, applyTheme)) await showToast(withNames`Saved ${saved.name}.`)
    } catch (reason) {
      const conflict = getConflict<Theme>(reason)
      if (conflict) setNewerTheme(conflict.current)
      else setFailure(reason)
      setSaving(false)
    }
  }

  function discardAndLeave() {
    draft.clear()
    navigate(themeLibraryRoute)
  }

  if (!draft.ready) return <Skeleton className="h-96" />
  return (
    <div ref={editorRef} tabIndex={-1} className="outline-none">
      <ThemeEditor
        key={editorKey}
        title={isNew ? 'New theme' : theme.name}
        basedOn={isNew ? theme.name : undefined}
        original={initial.values}
        startValues={draft.value.values}
        restored={draft.restored && editorKey === 0}
        saving={saving}
        failure={failure}
        newerTheme={newerTheme}
        onChange={(values) => draft.set({ rev: draft.value.rev, values })}
        onDiscard={() => {
          draft.clear()
          setEditorKey(editorKey + 1)
        }}
        onUseNewer={(theme) => {
          draft.set({ rev: theme.rev, values: toThemeValues(theme) })
          setNewerTheme(undefined)
          setEditorKey(editorKey + 1)
        }}
        onKeepLocal={(values, { rev }) => {
          setNewerTheme(undefined)
          draft.set({ rev, values })
          void save(values, rev)
        }}
        onDecideLater={() => setNewerTheme(undefined)}
        onSave={save}
        onLeave={discardAndLeave}
        sample={<ThemeSamplePage />}
      />
    </div>
  )
}
