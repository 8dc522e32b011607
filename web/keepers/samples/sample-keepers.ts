/** The samples that come with Keeper: the same for everybody, also offline, and changed by nobody. */
export const sampleIds = ['demo', 'demo-sole-keeper'] as const

export const isSampleKeeper = (id: string) => sampleIds.some((sample) => sample === id)
