export const notJoinedYet = 'Added, hasn’t joined yet'
