// What the server did in the last hour: requests, latency, cache, tokens. It follows by itself.
import { useMemo } from "preact/hooks";
import type { PageProps } from "../../core/registry";
import { Failure } from "../../parts/Notice";
import { useJson } from "../../parts/useJson";
import { texts } from "../../texts";
import { type Activity, lastHour, latencyOf, type Minute, shortNumber, sumOf } from "./activity";
import { Chart } from "./Chart";
import "./activity.css";

export default function ActivityPage({ uri }: PageProps) {
  const { value, error, reload } = useJson<Activity>(uri);
  const hour = useMemo(() => lastHour(value?.minutes ?? []), [value]);
  // Those that failed are among the requests; in a bar they stand on those that did not.
  const answered = hour.map((minute) => minute && { ...minute, requests: minute.requests - minute.errors });
  if (error) return <Failure error={error} again={reload} />;
  if (!value) return <p class="faint">{texts.pane.loading}</p>;
  const { activity } = texts;
  return (
    <>
      <Totals hour={hour} />
      <div class="charts">
        <Chart
          title={activity.requests}
          hour={answered}
          kind="bars"
          series={[
            { field: "requests", text: activity.answered, tone: "a" },
            { field: "errors", text: activity.errors, tone: "bad" },
          ]}
        />
        <Chart
          title={activity.latency}
          hour={hour}
          kind="lines"
          unit=" ms"
          series={[
            { field: "p50_ms", text: activity.p50, tone: "a" },
            { field: "p95_ms", text: activity.p95, tone: "b" },
          ]}
        />
        <Chart
          title={activity.cache}
          hour={hour}
          kind="bars"
          series={[
            { field: "cache_hits", text: activity.hits, tone: "a" },
            { field: "cache_misses", text: activity.misses, tone: "b" },
          ]}
        />
        <Chart
          title={activity.tokens}
          hour={hour}
          kind="bars"
          series={[
            { field: "tokens_served", text: activity.served, tone: "a" },
            { field: "tokens_saved", text: activity.saved, tone: "b" },
          ]}
        />
      </div>
      <Numbers minutes={value.minutes} />
    </>
  );
}

function Totals({ hour }: { hour: readonly (Minute | null)[] }) {
  const { activity } = texts;
  const hits = sumOf(hour, "cache_hits");
  const asked = hits + sumOf(hour, "cache_misses");
  const totals: [string, string][] = [
    [activity.requests, shortNumber(sumOf(hour, "requests"))],
    [activity.errors, shortNumber(sumOf(hour, "errors"))],
    [activity.typical, `${shortNumber(latencyOf(hour, "p50_ms"))} ms`],
    [activity.hitRate, asked > 0 ? `${Math.round((hits / asked) * 100)} %` : "–"],
    [activity.served, shortNumber(sumOf(hour, "tokens_served"))],
    [activity.saved, shortNumber(sumOf(hour, "tokens_saved"))],
  ];
  return (
    <dl class="totals">
      {totals.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const columns = [
  "requests",
  "errors",
  "p50_ms",
  "p95_ms",
  "cache_hits",
  "cache_misses",
  "tokens_served",
  "tokens_saved",
] as const;

function Numbers({ minutes }: { minutes: readonly Minute[] }) {
  return (
    <details class="numbers">
      <summary>{texts.activity.table}</summary>
      <div class="numbers-box">
        <table>
          <thead>
            <tr>
              <th scope="col">{texts.activity.minute}</th>
              {columns.map((name) => (
                <th key={name} scope="col">
                  {texts.activity.columns[name]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {minutes.toReversed().map((minute) => (
              <tr key={minute.at}>
                <th scope="row">
                  <time dateTime={minute.at}>
                    {new Date(minute.at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })}
                  </time>
                </th>
                {columns.map((name) => (
                  <td key={name}>{shortNumber(minute[name])}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
