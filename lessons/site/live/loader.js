// A figure that a reader can touch. Below its drawing is a button: with it the machine and the
// figure's own script are loaded from the folder live beside the page.
addEventListener("DOMContentLoaded", () =>
  document.querySelectorAll("[data-live]").forEach(offerLive));

// Pages in another language have a folder of their own, and a script with its words.
const LANGUAGE = document.documentElement.lang;
const LIVE_FOLDER = LANGUAGE === "en" ? "live" : "../live";

function loadScript(name) {
  const address = `${LIVE_FOLDER}/${name}.js`;
  if (document.querySelector(`script[src="${address}"]`))
    return Promise.resolve();
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = address;
    script.addEventListener("load", resolve);
    script.addEventListener("error", () => reject(new Error(address)));
    document.head.append(script);
  });
}

function offerLive(figure) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "try";
  button.textContent = say("try_live");
  button.addEventListener("click", async () => {
    button.disabled = true;
    button.textContent = say("live_starts");
    try {
      if (LANGUAGE !== "en")
        await loadScript(LANGUAGE);
      await loadScript("machine");
      if (figure.dataset.image)
        await loadScript(figure.dataset.image);
      await loadScript(figure.dataset.live);
      await startLive(figure, button);
    } catch (error) {
      button.textContent = `${say("live_is_missing")} (${error.message})`;
    }
  });
  figure.append(button);
}
