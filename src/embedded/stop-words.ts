/** English words that questions are made of and that tell nothing of their subject. */
const WORDS = `
a about above after again against all also am an and any are aren as at be because been before being below between both
but by can cannot could couldn d did didn do does doesn doing don done down during each else ever every few for from
further get gets getting give go goes going got had hadn has hasn have haven having he her here hers herself him himself
his how however i if in into is isn it its itself just know let like ll m many may me might mine more most much must my
myself need needs no nor not now of off on once one only or other ought our ours ourselves out over own please re s
same shall she should shouldn so some such t tell than that the their theirs them themselves then there these they
thing things this those through to too under until up upon us use ve very want wants was wasn way we were weren what
when where whether which while who whom whose why will with within without won would wouldn you your yours yourself
`;

export const STOP_WORDS: ReadonlySet<string> = new Set(WORDS.trim().split(/\s+/));
