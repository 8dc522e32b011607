/** Read-only keepers bundled with the pages: identical for everyone and available offline. */
export const demoKeeperIds = ['demo', 'demo-sole-keeper'] as const

export const isDemoKeeper = (id: string) => demoKeeperIds.some((demoId) => demoId === id)
