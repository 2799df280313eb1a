/** Units as lists write them. */

const LETTERED =
  /^(?:[yzafpnuµμmcdhkKMGT]?(?:V|A|W|VA|var|VAr|Var|VAR|Wh|VAh|varh|VArh|Varh|kvarh|Ah|Hz|Ω|ohms?|Ohms?|F|H|J|Pa|bar|m|g|L|l|s|S|N|Nm|cal|lx|lm|Bq|T|t)|m[²³23]|°C|℃|℉|°F|degC|deg C|degF|K|C|°|deg|%|‰|%RH|%rh|rpm|r\/min|min|mins?|h|hr|hrs|hours?|days?|d|sec|secs|seconds?|minutes?|weeks?|months?|years?|psi|ppm|ppb|dB|dBm|pH|NTU|inH2O|mmHg|mmH2O|in|ft|gal|cfm|CFM|GPM|BTU|kBTU|pu|p\.u\.|pf|PF|cosφ|cosΦ|rad|VDC|VAC|Vdc|Vac|ADC|AAC|Vrms|Arms|volts?|amps?|amperes?|watts?|hertz|kWp|kVAR|MVAR|kVAr|kVAh|kVArh|kVARh|MVARh|kWH|KW|KWH|KVA|KVAR|KV|KA|HZ|hz|kw|kwh|kva|kvar|mah|Kg|KG|kgf|Mpa|Kpa|KPa|MPA|uS|us|μs|MB|kB|EUR|€|\$|元)$/u;
const CHINESE =
  /^(伏|安|毫安|千安|瓦|千瓦|兆瓦|千伏|毫伏|赫兹|千瓦时|度|千乏|千伏安|摄氏度|秒|毫秒|分钟?|小时|时|天|日|月|年|次|个|台|转\/分|米|立方米|吨|升|帕|千帕|兆帕|欧|欧姆)$/;
const LONGEST = 20;
const LONGEST_NAME = 500;

/** True for a unit, or units with signs between them: `V`, `kWh`, `m³/h`, `W/m²`, `°C`, `千瓦`. */
export function isUnit(text: string): boolean {
  const unit = text.trim();
  if (unit === '' || unit.length > LONGEST) return false;
  if (LETTERED.test(unit) || CHINESE.test(unit)) return true;
  const parts = unit.split(/[/·*.×]/).map((part) => part.replace(/\^?[-−]?[123²³]$/, '').trim());
  return parts.length > 1 && parts.length < 4 && parts.every((part) => LETTERED.test(part) || CHINESE.test(part));
}

/** A name with the unit in brackets at its end: `Voltage L1 [V]`, `电压（0.1V）`; null where nothing of the kind stands there. */
export function bracketsOf(text: string): { readonly before: string; readonly inside: string } | null {
  if (text.length > LONGEST_NAME) return null;
  const [, before = '', inside = ''] = /^(.*?)\s*[([{（【［]\s*([^()[\]{}（）【】［］]{1,24})\s*[)\]}）】］]\s*$/.exec(text) ?? [];
  return before.trim() === '' ? null : { before: before.trim(), inside: inside.trim() };
}
