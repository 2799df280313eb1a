/** Counts the turns of the event loop from now on, until the count is asked for: how often lines and timers could have had theirs. */
export function countTurns(): () => number {
  let turns = 0;
  let isCounting = true;
  const turn = () => {
    turns += 1;
    if (isCounting) setImmediate(turn);
  };
  setImmediate(turn);
  return () => {
    isCounting = false;
    return turns;
  };
}
