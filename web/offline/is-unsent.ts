/** Drafts under `asked/` were already sent to the server. */
export const isUnsent = ({ key }: { key: string }): boolean => !key.startsWith('asked/')
