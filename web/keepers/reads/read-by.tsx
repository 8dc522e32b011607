import { lazyComponent } from '#web/ui/panels/lazy-component.tsx'

/** Shows which agents read an entry. */
export const ReadByDialog = lazyComponent(async () => (await import('./read-by-dialog.tsx')).ReadByDialog)
