/** Those that come with Keeper: the same for everybody, also offline, and changed by nobody. */
export const demoKeeperIds = ['demo', 'demo-sole-keeper'] as const

export const isDemoKeeper = (id: string) => demoKeeperIds.some((each) => each === id)
